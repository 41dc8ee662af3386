package lovelace.server;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/// Passes the web server's own messages on as lines of a [Log].
final class WebLog extends Handler {

  private final Log log;
  private final SimpleFormatter texts = new SimpleFormatter();

  WebLog(Log log) {
    this.log = log;
    setLevel(Level.WARNING);
  }

  @Override
  public void publish(LogRecord line) {
    if (!isLoggable(line)) return;
    @Nullable Throwable failure = line.getThrown();
    Throwable root = failure;
    while (root != null && root.getCause() != null) root = root.getCause();
    StackTraceElement[] trace = root == null ? new StackTraceElement[0] : root.getStackTrace();
    log.warn(
        "web server",
        "message",
        texts.formatMessage(line),
        "error",
        root == null ? "" : root.toString(),
        "at",
        trace.length > 0 ? trace[0] : "");
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
