package lovelace.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import lovelace.data.Column;

/// The command that continues a table as series, for people who fit a table of dates.
final class ForecastHint {

  /// The steps of the horizon in the command.
  private static final int HORIZON = 12;

  private ForecastHint() {}

  /// The command; empty unless exactly one of the inputs is a column of dates.
  static Optional<String> command(String table, List<Column> inputs, String target) {
    List<Column> times = inputs.stream().filter(each -> each.time().isPresent()).toList();
    if (times.size() != 1) return Optional.empty();
    String ids =
        inputs.stream().filter(Column::isText).map(Column::name).collect(Collectors.joining(","));
    return Optional.of(
        "lovelace forecast %s%s --time %s --target %s --horizon %s"
            .formatted(
                word(table),
                ids.isEmpty() ? "" : " --id " + word(ids),
                word(times.getFirst().name()),
                word(target),
                HORIZON));
  }

  private static String word(String text) {
    return text.matches("[\\w./,+:@%-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
