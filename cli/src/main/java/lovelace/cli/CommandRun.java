package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import lovelace.bayesopt.SearchSpace.Point;

/// The result of one evaluation of an objective: its value and constraints, or why it failed.
record CommandRun(Point point, List<Double> values, String failure) {

  boolean failed() {
    return !failure.isEmpty();
  }

  /// Runs a shell command with `{name}` replaced by each variable's value. The numbers on its last
  /// line of output are the objective and then the constraints. Its standard error goes to
  /// `remarks`, line by line. A run that takes longer than the limit is ended with all processes
  /// that it started, and counts as failed.
  static CommandRun of(
      Point point, String command, int constraints, Duration limit, Consumer<String> remarks)
      throws IOException, InterruptedException {
    String line = command;
    for (Map.Entry<String, Object> entry : point.asMap().entrySet())
      line = line.replace("{" + entry.getKey() + "}", quoted(entry.getValue().toString()));
    Process process =
        new ProcessBuilder("sh", "-c", line)
            .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
            .start();
    AtomicReference<String> printed = new AtomicReference<>("");
    Thread results =
        follow(process.getInputStream(), s -> printed.set(s.isBlank() ? printed.get() : s));
    Thread errors = follow(process.getErrorStream(), remarks);
    long start = System.nanoTime();
    try {
      // another process that holds the output open may still print the result
      boolean ended = process.waitFor(limit) && results.join(left(limit, start));
      if (!ended)
        return new CommandRun(
            point,
            List.of(),
            "'%s' ran longer than %s s and was stopped; --run-time gives it more"
                .formatted(line, limit.toSeconds()));
      errors.join(Duration.ofSeconds(1));
      if (process.exitValue() != 0)
        return new CommandRun(
            point,
            List.of(),
            String.format(Locale.ROOT, "'%s' failed with exit code %d", line, process.exitValue()));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String last = printed.get().trim();
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
          String.format(
              Locale.ROOT,
              "the last line of '%s' must hold %d finite number%s, got '%s'",
              line,
              1 + constraints,
              constraints == 0 ? "" : "s",
              last));
    return new CommandRun(point, List.copyOf(values), "");
  }

  private static Duration left(Duration limit, long start) {
    Duration left = limit.minusNanos(System.nanoTime() - start);
    return left.isPositive() ? left : Duration.ofMillis(1);
  }

  /// Passes the lines of a stream to `lines` until it ends.
  private static Thread follow(InputStream stream, Consumer<String> lines) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try (var reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
                for (String s = reader.readLine(); s != null; s = reader.readLine())
                  lines.accept(s);
              } catch (IOException e) {
                // closed: the run was ended
              }
            });
  }

  private static String quoted(String value) {
    return value.matches("[A-Za-z0-9._+-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
  }
}
