package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients in other languages, where they are installed: JSON, binary tensors, errors.
class ClientIT {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"python3, client.py", "node, client.mjs"})
  void otherLanguagesAreAnswered(String program, String script) throws Exception {
    assumeTrue(installed(program), program + " is not installed");
    Path file = folder.resolve(script);
    try (InputStream in = ClientIT.class.getResourceAsStream(script)) {
      Files.write(file, in.readAllBytes());
    }
    Trial.plane(200, 2).save(folder.resolve("plane.lvl"));
    try (Server server = Trial.start(Trial.options(folder.resolve("plane.lvl")))) {
      Process client =
          new ProcessBuilder(program, file.toString(), server.address())
              .redirectErrorStream(true)
              .start();
      String said = new String(client.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, client.waitFor(), said);
      assertEquals("ok", said.strip());
    }
  }

  private static boolean installed(String program) throws InterruptedException {
    try {
      Process asked =
          new ProcessBuilder(program, "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return asked.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
