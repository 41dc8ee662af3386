package lovelace.likelihood;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reads the text form of a likelihood: a name, and perhaps one `key=value` in parentheses.
final class LikelihoodText {

  private LikelihoodText() {}

  /// The likelihoods that share a name: the key of the argument (empty if there is none), and a
  /// likelihood for each value of it. The name alone means the first.
  private record Entry(String key, Map<String, Likelihood> values) {}

  private static final Map<String, Entry> ALL = all();

  private static Map<String, Entry> all() {
    Map<String, Entry> all = new LinkedHashMap<>();
    Map<String, Likelihood> noises = new LinkedHashMap<>();
    noises.put("learned", Likelihood.gaussian());
    noises.put("known", Likelihood.gaussianKnown());
    noises.put("varying", Likelihood.varying());
    all.put("gaussian", new Entry("noise", noises));
    add(all, Likelihood.studentT());
    add(all, Likelihood.poisson());
    add(all, Likelihood.negativeBinomial());
    for (boolean single : new boolean[] {true, false}) {
      Map<String, Likelihood> links = new LinkedHashMap<>();
      for (Likelihood.Link link : Likelihood.Link.values())
        links.put(link.toString(), new Binomial(link, single));
      all.put(links.values().iterator().next().name(), new Entry("link", links));
    }
    add(all, Likelihood.gamma());
    return all;
  }

  private static void add(Map<String, Entry> all, Likelihood likelihood) {
    all.put(likelihood.name(), new Entry("", Map.of("", likelihood)));
  }

  static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  static Likelihood parse(String text) {
    String trimmed = text.replace(" ", "").toLowerCase(Locale.ROOT);
    int open = trimmed.indexOf('(');
    String name = open < 0 ? trimmed : trimmed.substring(0, open);
    Entry entry = ALL.get(name);
    if (entry == null)
      throw new IllegalArgumentException(
          "no likelihood is called '%s'; there are %s"
              .formatted(name, String.join(", ", ALL.keySet())));
    Map<String, Likelihood> values = entry.values();
    if (open < 0) return values.values().iterator().next();
    String argument =
        trimmed.endsWith(")")
            ? trimmed.substring(open + 1, trimmed.length() - 1)
            : trimmed.substring(open + 1);
    if (entry.key().isEmpty())
      throw new IllegalArgumentException(
          "likelihood %s has no arguments, got '%s'; write %s".formatted(name, text.strip(), name));
    int equals = argument.indexOf('=');
    String key = equals < 0 ? "" : argument.substring(0, equals);
    Likelihood found = values.get(argument.substring(equals + 1));
    if (!trimmed.endsWith(")") || !key.equals(entry.key()) || found == null)
      throw new IllegalArgumentException(
          "likelihood %s has the argument %s, which is %s; got '%s', write for example %s(%s=%s)"
              .formatted(
                  name,
                  entry.key(),
                  String.join(" or ", values.keySet()),
                  text.strip(),
                  name,
                  entry.key(),
                  last(values)));
    return found;
  }

  private static String last(Map<String, Likelihood> values) {
    String last = "";
    for (String key : values.keySet()) last = key;
    return last;
  }
}
