package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import lovelace.testing.Needs;
import lovelace.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client in another language, with nothing but that language's own library: JSON, binary
/// tensors, errors.
class ClientIT {

  @TempDir Path folder;

  @Test
  @Needs("python3")
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

  static Process python(Path script, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(Programs.require("python3").toString(), script.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
