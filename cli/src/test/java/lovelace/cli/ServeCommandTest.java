package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {

  @TempDir private Path folder;

  @Test
  void portInUseIsNamedAndNothingIsServed() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("t.csv", Trial.wave(0, 30));
    trial.ok(
        "fit @t.csv --target y --no-train --grid 20 --model @m.lvl"
            + " --set lengthscale=1 --set outputscale=1 --set noise=0.1 --set mean=0");
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String said =
          assertTimeoutPreemptively(
              Duration.ofSeconds(60),
              () -> trial.refused("serve @m.lvl --port " + taken.getLocalPort()));
      assertEquals(
          "lovelace: cannot listen on port "
              + taken.getLocalPort()
              + " of 127.0.0.1 (Address already in use); choose another with --port, 0 takes any"
              + " free one"
              + System.lineSeparator(),
          said);
    }
  }
}
