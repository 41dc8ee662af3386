package lovelace.server;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the text format of Prometheus 0.0.4 and takes nothing that a strict reader refuses: every
/// family has its help and type once and its samples right after them, no sample is there twice,
/// counters are called `…_total` and buckets add up.
final class PrometheusFamilies {

  record Sample(String name, Map<String, String> labels, double value) {}

  static final class Family {
    final String name;
    final String type;
    final List<Sample> samples = new ArrayList<>();

    Family(String name, String type) {
      this.name = name;
      this.type = type;
    }
  }

  private static final Pattern HELP = Pattern.compile("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
  private static final Pattern TYPE =
      Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\[\\\\\"n])*)\"(,|$)");

  private PrometheusFamilies() {}

  static Map<String, Family> parse(String text) {
    require(text.endsWith("\n"), "the last line has no end");
    Map<String, Family> families = new LinkedHashMap<>();
    Set<String> seen = new HashSet<>();
    String helped = "";
    Family family = new Family("", "");
    for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
      Matcher help = HELP.matcher(line);
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (help.matches()) {
        helped = help.group(1);
      } else if (type.matches()) {
        require(type.group(1).equals(helped), "type without help: " + line);
        family = new Family(helped, type.group(2));
        require(families.put(helped, family) == null, "family twice: " + line);
        require(
            family.type.equals("counter") == helped.endsWith("_total"), "name of counter: " + line);
      } else {
        require(sample.matches(), "no line of the format: " + line);
        Sample one =
            new Sample(sample.group(1), labels(sample.group(2), line), value(sample.group(3)));
        require(names(family).contains(one.name), "outside its family: " + line);
        require(seen.add(one.name + new TreeMap<>(one.labels)), "sample twice: " + line);
        require(family.type.equals("gauge") || one.value >= 0, "a count that is not ≥ 0: " + line);
        family.samples.add(one);
      }
    }
    for (Family each : families.values()) if (each.type.equals("histogram")) requireBuckets(each);
    return families;
  }

  /// The samples of a family, which must be there.
  static List<Sample> samples(String text, String name) {
    Family family = parse(text).get(name);
    if (family == null) throw new AssertionError("no " + name + " in " + text);
    return family.samples;
  }

  private static List<String> names(Family family) {
    String n = family.name;
    return switch (family.type) {
      case "histogram" -> List.of(n + "_bucket", n + "_sum", n + "_count");
      case "summary" -> List.of(n, n + "_sum", n + "_count");
      default -> List.of(n);
    };
  }

  private static Map<String, String> labels(@Nullable String text, String line) {
    Map<String, String> labels = new LinkedHashMap<>();
    if (text == null) return labels;
    Matcher label = LABEL.matcher(text);
    int at = 0;
    while (at < text.length()) {
      require(label.find(at) && label.start() == at, "no label: " + line);
      String value =
          Pattern.compile("\\\\(.)")
              .matcher(label.group(2))
              .replaceAll(
                  escape ->
                      Matcher.quoteReplacement(
                          escape.group(1).equals("n") ? "\n" : escape.group(1)));
      require(labels.put(label.group(1), value) == null, "label twice: " + line);
      at = label.end();
    }
    return labels;
  }

  private static double value(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      case "NaN" -> Double.NaN;
      default -> {
        require(text.matches("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?"), text);
        yield Double.parseDouble(text);
      }
    };
  }

  /// Buckets of the same labels ascend in bound and count; the last is the count.
  private static void requireBuckets(Family family) {
    Map<Map<String, String>, List<Sample>> groups = new LinkedHashMap<>();
    Map<Map<String, String>, Double> counts = new LinkedHashMap<>();
    Set<Map<String, String>> sums = new HashSet<>();
    for (Sample sample : family.samples) {
      Map<String, String> labels = new TreeMap<>(sample.labels);
      String bound = labels.remove("le");
      require((bound != null) == sample.name.endsWith("_bucket"), sample.toString());
      if (bound != null) groups.computeIfAbsent(labels, k -> new ArrayList<>()).add(sample);
      else if (sample.name.endsWith("_count")) counts.put(labels, sample.value);
      else sums.add(labels);
    }
    require(groups.keySet().equals(counts.keySet()) && sums.equals(counts.keySet()), family.name);
    groups.forEach(
        (labels, buckets) -> {
          double bound = Double.NEGATIVE_INFINITY;
          double count = 0;
          for (Sample bucket : buckets) {
            double next = value(bucket.labels.getOrDefault("le", ""));
            require(next > bound && bucket.value >= count, bucket.toString());
            bound = next;
            count = bucket.value;
          }
          require(bound == Double.POSITIVE_INFINITY, "no last bucket: " + labels);
          require(count == counts.getOrDefault(labels, Double.NaN), "count of " + labels);
        });
  }

  private static void require(boolean right, String what) {
    if (!right) throw new AssertionError(what);
  }
}
