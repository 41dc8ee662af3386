package lovelace.server;

import java.nio.file.Path;
import java.util.List;

/// A server that takes observations, in a process of its own: FILE PENDING. Prints its port.
final class ServeProcess {

  private ServeProcess() {}

  public static void main(String[] args) throws Exception {
    ServerOptions options =
        ServerOptions.DEFAULT
            .withFiles(List.of(Path.of(args[0])))
            .withAddress("127.0.0.1", 0)
            .withUpdates(true)
            .withLimits(ServerOptions.Limits.DEFAULT.withPending(Integer.parseInt(args[1])));
    Server server = Server.start(options, new Log(System.err::println));
    System.out.println(server.port());
    Thread.sleep(Long.MAX_VALUE);
  }
}
