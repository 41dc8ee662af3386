package lovelace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Verbs that are refused, written as a table. A line that is not indented is the start of a
/// message. The lines under it, indented, name a verb and the cases for which it is refused so:
///
/// ```text
/// the model cannot be updated
///   with spectral/poisson krylov/poisson
/// ```
final class Refusals {

  /// No verb is refused.
  static final Refusals NONE = new Refusals(Map.of());

  private final Map<String, String> messages;

  private Refusals(Map<String, String> messages) {
    this.messages = messages;
  }

  static Refusals of(String table) {
    Map<String, String> messages = new HashMap<>();
    String message = "";
    for (String line : table.lines().toList()) {
      if (!line.startsWith(" ")) {
        message = line;
        continue;
      }
      String[] words = line.trim().split(" ", -1);
      for (int i = 1; i < words.length; i++) messages.put(words[i] + " " + words[0], message);
    }
    return new Refusals(messages);
  }

  /// The entries of cases that are none of these, each a case and a verb.
  List<String> beyond(List<SmallCase> cases) {
    Set<String> names = cases.stream().map(SmallCase::name).collect(Collectors.toSet());
    return messages.keySet().stream()
        .filter(entry -> !names.contains(entry.substring(0, entry.indexOf(' '))))
        .sorted()
        .toList();
  }

  /// The start of the message; empty if the law is kept.
  String of(String name, WayLaws.Law law) {
    return messages.getOrDefault(name + " " + law, "");
  }
}
