package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client in another language, with nothing but that language's own library: JSON, binary
/// tensors, errors.
class ClientIT {

  @TempDir Path folder;

  @Test
  void aProgramInPython3IsAnswered() throws Exception {
    Path script = folder.resolve("client.py");
    try (InputStream in = ClientIT.class.getResourceAsStream("client.py")) {
      Files.write(script, in.readAllBytes());
    }
    Trial.plane(200, 2).save(folder.resolve("plane.lvl"));
    try (Server server = Trial.start(Trial.options(folder.resolve("plane.lvl")))) {
      Process client = python(script, server.address());
      String said = new String(client.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, client.waitFor(), said);
      assertEquals("ok", said.strip());
    }
  }

  static Process python(Path script, String... arguments) {
    List<String> command = new ArrayList<>(List.of("python3", script.toString()));
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new AssertionError("this test needs python3 on the PATH; install it", e);
    }
  }
}
