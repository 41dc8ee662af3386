package lovelace.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import lovelace.testing.Programs;
import org.jspecify.annotations.Nullable;

/// Python's checker of ONNX files, with inference of all types and shapes. One process for all
/// tests: it starts when it is first needed, and ends with this JVM, when its input does.
final class Checker {

  private static final String VALID = "valid";
  private static @Nullable Checker started;

  private final BufferedReader answers;
  private final Writer questions;

  private Checker() throws IOException {
    try (InputStream in = Objects.requireNonNull(Checker.class.getResourceAsStream("check.py"))) {
      String script = new String(in.readAllBytes(), UTF_8);
      Process process =
          new ProcessBuilder(Programs.require("onnx").toString(), "-c", script)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      answers = process.inputReader(UTF_8);
      questions = process.outputWriter(UTF_8);
    }
  }

  /// Whether this machine has it. A test that cannot do without says so by
  /// [lovelace.testing.Needs].
  static boolean isThere() {
    return Programs.INSTALLED.find("onnx").isPresent();
  }

  /// The fault of a file; empty if it has none.
  static synchronized Optional<String> complaint(Path file) throws IOException {
    Checker checker = started;
    if (checker == null) started = checker = new Checker();
    checker.questions.write(file.toAbsolutePath() + "\n");
    checker.questions.flush();
    String answer = checker.answers.readLine();
    return VALID.equals(answer) ? Optional.empty() : Optional.of(String.valueOf(answer));
  }
}
