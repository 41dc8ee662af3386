package lovelace.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Pages and files over HTTP on this machine.
final class Site implements AutoCloseable {

  /// The answer of an address; null if there is none yet.
  interface Reply {
    byte @Nullable [] to(HttpExchange exchange) throws IOException, InterruptedException;
  }

  private final HttpServer server;

  Site() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  Site page(String path, String text) {
    return on(path, exchange -> text.getBytes(UTF_8));
  }

  /// The files of a folder, below a path.
  Site files(String path, Path folder) {
    return on(path, e -> Files.readAllBytes(folder.resolve(path(e).substring(path.length()))));
  }

  Site on(String path, Reply reply) {
    server.createContext(path, exchange -> answer(exchange, reply));
    return this;
  }

  String address() {
    InetSocketAddress own = server.getAddress();
    return "http://" + own.getAddress().getHostAddress() + ":" + own.getPort() + "/";
  }

  static String path(HttpExchange exchange) {
    return exchange.getRequestURI().getPath();
  }

  private static void answer(HttpExchange exchange, Reply reply) throws IOException {
    try (exchange) {
      byte[] body = reply.to(exchange);
      String name = path(exchange);
      exchange
          .getResponseHeaders()
          .add(
              "Content-Type",
              name.endsWith("js")
                  ? "text/javascript"
                  : name.endsWith(".wasm") ? "application/wasm" : "text/html; charset=utf-8");
      if (body == null) exchange.sendResponseHeaders(204, -1);
      else {
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
