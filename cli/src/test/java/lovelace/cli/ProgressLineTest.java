package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A terminal sees one line that changes, a file sees a line now and then.
class ProgressLineTest {

  private static final long SECOND = 1_000_000_000;

  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();
  private final AtomicLong now = new AtomicLong();

  @AfterEach
  void forget() {
    System.clearProperty(Terminal.PROPERTY);
  }

  private ProgressLine line(boolean terminal) {
    return new ProgressLine(new PrintWriter(err, true), terminal, now::get);
  }

  @Test
  void terminalSeesOneLineThatIsWipedAtTheEnd() {
    try (ProgressLine line = line(true)) {
      line.begin("reading");
      now.addAndGet(SECOND / 10);
      line.say(() -> "too soon");
      now.addAndGet(SECOND);
      line.say(() -> "ten");
    }
    assertEquals("\rreading\rten    \r   \r", err.toString());
  }

  @Test
  void fileSeesPlainLinesEveryTenSeconds() {
    try (ProgressLine line = line(false)) {
      line.begin("reading");
      for (int i = 1; i <= 25; i++) {
        now.addAndGet(SECOND);
        int second = i;
        line.say(() -> "second " + second);
      }
    }
    String end = System.lineSeparator();
    assertEquals("lovelace: second 10" + end + "lovelace: second 20" + end, err.toString());
  }

  /// The launcher says which streams are terminals; standard output may be a file.
  @Test
  void terminalIsWhatTheLauncherSays() {
    System.setProperty(Terminal.PROPERTY, "2");
    assertTrue(Terminal.isErr());
    assertFalse(Terminal.isOut());
    System.setProperty(Terminal.PROPERTY, "12");
    assertTrue(Terminal.isErr() && Terminal.isOut());
    System.setProperty(Terminal.PROPERTY, "");
    assertFalse(Terminal.isErr() || Terminal.isOut());
  }

  @Test
  void progressIsPaintedWhereOnlyOutputIsRedirected() throws Exception {
    System.setProperty(Terminal.PROPERTY, "2");
    Trial trial = new Trial(folder);
    trial.write("t.csv", Trial.wave(0, 30));
    String fit =
        "fit @t.csv --target y --no-train --grid 20 --set lengthscale=1 --set outputscale=1"
            + " --set noise=0.1 --set mean=0 --model @m.lvl";
    String out = trial.ok(fit);
    assertTrue(trial.err().contains("\rreading the table"), trial.err());
    assertFalse(out.contains("\r"), out);
    trial.ok(fit + " --quiet");
    assertEquals("", trial.err());
    System.setProperty(Terminal.PROPERTY, "");
    trial.ok(fit);
    assertFalse(trial.err().contains("\r"), trial.err());
    assertTrue(trial.err().contains("plan: "), trial.err());
  }
}
