package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import lovelace.bayesopt.Point;

/// What one evaluation of an objective gave: its value and constraints, or why it failed.
record CommandRun(Point point, List<Double> values, String failure) {

  boolean failed() {
    return !failure.isEmpty();
  }

  /// Runs a shell command with `{name}` replaced by each variable's value. The numbers on the last
  /// line it prints are the objective and then the constraints.
  static CommandRun of(Point point, String command, int constraints)
      throws IOException, InterruptedException {
    String line = command;
    for (Map.Entry<String, Object> entry : point.asMap().entrySet())
      line = line.replace("{" + entry.getKey() + "}", quoted(entry.getValue().toString()));
    Process process =
        new ProcessBuilder("sh", "-c", line)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
            .start();
    String text;
    try {
      text = new String(process.getInputStream().readAllBytes(), UTF_8);
      int code = process.waitFor();
      if (code != 0)
        return new CommandRun(point, List.of(), "'%s' ended with %d".formatted(line, code));
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
    String last = text.lines().filter(s -> !s.isBlank()).reduce("", (a, b) -> b).trim();
    List<Double> values = new ArrayList<>();
    try {
      for (String part : last.split("[\\s,;]+", -1)) values.add(Double.parseDouble(part));
    } catch (NumberFormatException e) {
      values.clear();
    }
    if (values.size() != 1 + constraints || values.stream().anyMatch(v -> !Double.isFinite(v)))
      return new CommandRun(
          point,
          List.of(),
          "the last line of '%s' must hold %d finite number%s, got '%s'"
              .formatted(line, 1 + constraints, constraints == 0 ? "" : "s", last));
    return new CommandRun(point, List.copyOf(values), "");
  }

  private static String quoted(String value) {
    return value.matches("[A-Za-z0-9._+-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
  }
}
