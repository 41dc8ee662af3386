package lovelace.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes events as lines of JSON: `time`, `level`, `event`, then the fields of the event.
public final class Log {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Consumer<String> lines;
  private final boolean all;

  /// Sends lines to a consumer that any thread may call.
  public Log(Consumer<String> lines) {
    this(lines, true);
  }

  /// The same. Leaves out normal events unless `all`.
  public Log(Consumer<String> lines, boolean all) {
    this.lines = lines;
    this.all = all;
  }

  /// Logs a normal event. Fields are names and values in turn.
  public void info(String event, @Nullable Object... fields) {
    if (all) write("info", event, fields);
  }

  /// Logs an event that needs a person's attention.
  public void warn(String event, @Nullable Object... fields) {
    write("warn", event, fields);
  }

  /// Logs a failure.
  public void error(String event, @Nullable Object... fields) {
    write("error", event, fields);
  }

  /// The message of a failure. It includes the kind of failure unless that is a plain refusal of a
  /// file.
  static String message(Throwable e) {
    return e instanceof Error || e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private void write(String level, String event, @Nullable Object... fields) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    line.put("level", level);
    line.put("event", event);
    for (int i = 0; i + 1 < fields.length; i += 2) {
      @Nullable Object value = fields[i + 1];
      line.put(
          String.valueOf(fields[i]),
          value instanceof Number || value instanceof Boolean ? value : String.valueOf(value));
    }
    try {
      lines.accept(JSON.writeValueAsString(line));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // all values are texts, numbers and booleans
    }
  }
}
