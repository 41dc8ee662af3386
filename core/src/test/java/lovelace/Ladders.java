package lovelace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Counts, in sources, the places that decide by the engine, the way or the class of a posterior.
///
/// Types are those that implement or extend [#POSTERIORS] or [#WAYS], directly or not, as the
/// sources say. Comments and texts do not count.
final class Ladders {

  /// The counts of a file.
  ///
  /// @param defaults switches over engines, ways or posteriors that have a default
  /// @param posteriors checks by `instanceof` and pattern cases of classes of posteriors
  /// @param ways the same of classes of ways and of what they keep
  record Count(int defaults, int posteriors, int ways) {
    Count plus(Count other) {
      return new Count(defaults + other.defaults, posteriors + other.posteriors, ways + other.ways);
    }

    boolean none() {
      return defaults + posteriors + ways == 0;
    }
  }

  private static final Set<String> POSTERIORS = Set.of("Posterior");

  private static final Set<String> WAYS =
      Set.of("Way", "Kept", "RowLeaf", "LatticeLeaf", "LatticeEngine");

  private static final Set<String> ENGINES =
      Set.of(
          "SPECTRAL",
          "MARKOV",
          "SPARSE",
          "KRYLOV",
          "DENSE",
          "EXACT",
          "CHAIN",
          "SITES",
          "NEIGHBOURS");

  private static final Pattern NOISE =
      Pattern.compile(
          "//[^\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(\\\\.|[^\"\\\\\n])*\"|'(\\\\.|[^'\\\\\n])'",
          Pattern.DOTALL);

  private static final Pattern TYPE =
      Pattern.compile(
          "\\b(?:class|interface|record|enum)\\s+(\\w+)(?:<[^{]*?>)?\\s*(\\([^{]*?\\))?\\s*([^{;]*)\\{");

  private static final Pattern SWITCH = Pattern.compile("\\bswitch\\s*\\(");
  private static final Pattern DEFAULT = Pattern.compile("\\bdefault\\s*(->|:)");
  private static final Pattern LABEL = Pattern.compile("\\bcase\\s+([^:>]*?)\\s*(->|:)");
  private static final Pattern CHECK =
      Pattern.compile("\\b(?:instanceof|case)\\s+(?:final\\s+)?(?:\\w+\\.)*(\\w+)(?:<[^>]*>)?");

  private final Map<String, String> sources;
  private final Set<String> posteriors;
  private final Set<String> ways;

  private Ladders(Map<String, String> sources) {
    this.sources = sources;
    posteriors = closure(POSTERIORS);
    ways = closure(WAYS);
  }

  /// The counts of all files that have some, by their paths in their folder of sources.
  static Map<String, Count> of(List<Path> folders) throws IOException {
    Map<String, String> sources = new TreeMap<>();
    for (Path folder : folders)
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList())
          sources.put(
              folder.relativize(file).toString().replace('\\', '/'),
              NOISE.matcher(Files.readString(file)).replaceAll(" "));
      }
    Ladders ladders = new Ladders(sources);
    Map<String, Count> counts = new TreeMap<>();
    sources.forEach(
        (file, source) -> {
          Count count = ladders.count(source);
          if (!count.none()) counts.put(file, count);
        });
    return counts;
  }

  /// The folders with the main sources of all modules.
  static List<Path> modules() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      return modules
          .map(module -> module.resolve(Path.of("src", "main", "java")))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }

  /// The types below some, with these.
  private Set<String> closure(Set<String> roots) {
    Map<String, Set<String>> above = new TreeMap<>();
    for (String source : sources.values()) {
      Matcher type = TYPE.matcher(source);
      while (type.find())
        above
            .computeIfAbsent(type.group(1), name -> new HashSet<>())
            .addAll(supertypes(type.group(3)));
    }
    Set<String> all = new HashSet<>(roots);
    boolean more = true;
    while (more) {
      Set<String> next =
          above.entrySet().stream()
              .filter(entry -> entry.getValue().stream().anyMatch(all::contains))
              .map(Map.Entry::getKey)
              .collect(Collectors.toSet());
      more = all.addAll(next);
    }
    return all;
  }

  /// The names after `extends` and `implements`, without type arguments.
  private static Set<String> supertypes(String head) {
    int permits = head.indexOf("permits");
    String text = (permits < 0 ? head : head.substring(0, permits)).replaceAll("<[^{]*>", "");
    Set<String> names = new HashSet<>();
    for (String word : text.split("[\\s,]+", -1)) names.add(word.replaceAll(".*\\.", ""));
    names.removeAll(Set.of("extends", "implements", ""));
    return names;
  }

  private Count count(String source) {
    int ofPosteriors = 0;
    int ofWays = 0;
    Matcher check = CHECK.matcher(source);
    while (check.find()) {
      if (posteriors.contains(check.group(1))) ofPosteriors++;
      if (ways.contains(check.group(1))) ofWays++;
    }
    int defaults = 0;
    for (String body : switches(source))
      if (DEFAULT.matcher(body).find() && isLadder(body)) defaults++;
    return new Count(defaults, ofPosteriors, ofWays);
  }

  private boolean isLadder(String body) {
    return LABEL
        .matcher(body)
        .results()
        .flatMap(label -> Stream.of(label.group(1).split("[\\s,(]+", -1)))
        .map(word -> word.replaceAll(".*\\.", ""))
        .anyMatch(
            word -> ENGINES.contains(word) || posteriors.contains(word) || ways.contains(word));
  }

  /// The bodies of all switches, each without those inside it.
  private static List<String> switches(String source) {
    List<String> bodies = new ArrayList<>();
    Matcher start = SWITCH.matcher(source);
    while (start.find()) {
      int open = source.indexOf('{', closing(source, start.end() - 1, '(', ')'));
      String body = source.substring(open + 1, closing(source, open, '{', '}'));
      Matcher inner = SWITCH.matcher(body);
      StringBuilder own = new StringBuilder();
      int at = 0;
      while (inner.find(at)) {
        own.append(body, at, inner.start());
        int from = body.indexOf('{', closing(body, inner.end() - 1, '(', ')'));
        at = closing(body, from, '{', '}') + 1;
      }
      bodies.add(own.append(body.substring(at)).toString());
    }
    return bodies;
  }

  /// Where the bracket that opens at some place is closed.
  private static int closing(String text, int open, char opens, char closes) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      if (text.charAt(i) == opens) depth++;
      if (text.charAt(i) == closes && --depth == 0) return i;
    }
    throw new IllegalStateException("a bracket is not closed: " + text.substring(open));
  }
}
