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

  /// One line: how good the forecasts of a backtest are, if that is known within a second, and the
  /// command. Empty unless exactly one of the inputs is a column of dates.
  static Optional<String> line(String table, List<Column> inputs, String target) {
    return command(table, inputs, target)
        .map(
            command -> {
              boolean one = inputs.stream().noneMatch(Column::isText);
              String time =
                  inputs.stream()
                      .filter(c -> c.time().isPresent())
                      .findFirst()
                      .orElseThrow()
                      .name();
              Optional<String> scores =
                  one ? ForecastTrial.scores(table, time, target, HORIZON) : Optional.empty();
              return "to continue the series of this table%s, type %s"
                  .formatted(scores.map(text -> " (" + text + ")").orElse(""), command);
            });
  }

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
