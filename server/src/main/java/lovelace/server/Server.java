package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.logging.Level;
import java.util.logging.Logger;
import lovelace.Model;
import org.jspecify.annotations.Nullable;

/// An HTTP server for models.
///
/// ```java
/// try (Server server = Server.start(ServerOptions.DEFAULT.withFiles(List.of(file)), log)) { … }
/// ```
public final class Server implements AutoCloseable {

  /// Held here, because the logging library forgets the settings of loggers without a reference.
  private static final Logger HELIDON = Logger.getLogger("io.helidon");

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration LINGER = Duration.ofSeconds(20);

  private final ServerOptions options;
  private final Log log;
  private final Repository models;
  private final Gate gate;
  private final Metrics metrics = new Metrics();
  private final WebLog webLog;
  private final Deadlines deadlines;
  private final ForkJoinPool pool;
  private final Thread watcher;
  private final WebServer web;
  private volatile boolean closed = false;

  private Server(ServerOptions options, Log log, Repository.Loader loader) throws IOException {
    this.options = options;
    this.log = log;
    webLog = new WebLog(log);
    gate = new Gate(options.limits().requests(), options.limits().memory());
    int threads = options.threads();
    pool = new ForkJoinPool(threads > 0 ? threads : Runtime.getRuntime().availableProcessors());
    deadlines = new Deadlines(options.limits().timeout());
    models = new Repository(options, log, loader);
    watcher = Thread.ofVirtual().name("reload").unstarted(this::watch);
    boolean made = false;
    try {
      web = web(); // unreadable keys fail here, before models are loaded and locked
      models.load();
      made = true;
    } finally {
      if (!made) {
        deadlines.close();
        pool.close();
      }
    }
  }

  /// Loads the models and begins to answer.
  ///
  /// @throws IllegalArgumentException if a model is missing, an option is wrong, or the port is in
  ///   use
  public static Server start(ServerOptions options, Log log) throws IOException {
    return start(options, log, Model::load);
  }

  /// Like [#start(ServerOptions, Log)], with another way to read model files.
  static Server start(ServerOptions options, Log log, Repository.Loader loader) throws IOException {
    HELIDON.setLevel(Level.WARNING);
    HELIDON.setUseParentHandlers(false); // the parent handlers write text
    options.requireSafe();
    requireFree(options);
    Server server = new Server(options, log, loader);
    boolean started = false;
    try {
      HELIDON.setLevel(Level.OFF); // it logs why it did not start, and returns as if it had
      server.web.start();
      started = server.web.isRunning();
    } finally {
      HELIDON.setLevel(Level.WARNING);
      if (!started) {
        server.models.close();
        server.pool.close();
      }
    }
    if (!started) {
      requireFree(options); // another process may have taken the port
      throw new IllegalStateException("the web server did not start; start it again");
    }
    HELIDON.addHandler(server.webLog);
    server.deadlines.start();
    server.watcher.start();
    if (options.insecure()) log.warn("everybody who reaches this address may use the server");
    if (options.token() != null && options.tls() == null && !Hosts.isLoopback(options.host()))
      log.warn("the token is sent unencrypted; use TLS here or in a proxy");
    log.info("listening", "address", server.address(), "models", server.models.names());
    return server;
  }

  /// Refuses a port that is not free, before models are loaded.
  private static void requireFree(ServerOptions options) {
    boolean own = true;
    try (ServerSocket socket = new ServerSocket()) {
      InetAddress address = InetAddress.getByName(options.host());
      own =
          address.isAnyLocalAddress()
              || address.isLoopbackAddress()
              || NetworkInterface.getByInetAddress(address) != null;
      socket.bind(new InetSocketAddress(address, options.port()));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot listen on port %d of %s (%s); choose another with %s",
              options.port(),
              options.host(),
              e.getMessage(),
              own
                  ? "--port, 0 takes any free one"
                  : "--host, 127.0.0.1 is only for this machine and 0.0.0.0 for all"),
          e);
    }
  }

  private WebServer web() {
    ServerOptions.Limits limits = options.limits();
    // to arrive, to compute, to be read; Helidon measures idle times only to a second
    Duration patience = limits.timeout().multipliedBy(3).plusSeconds(1);
    DirectHandlers.Builder direct = DirectHandlers.builder();
    for (DirectHandler.EventType type : DirectHandler.EventType.values())
      direct.addHandler(type, this::refused);
    WebServerConfig.Builder config =
        WebServer.builder()
            .host(options.host())
            .port(options.port())
            .shutdownHook(false)
            .useNio(false)
            .maxPayloadSize(limits.body())
            .maxTcpConnections(limits.connections())
            .idleConnectionTimeout(patience)
            .idleConnectionPeriod(limits.timeout().dividedBy(2))
            .connectionOptions(socket -> socket.tcpNoDelay(true))
            .shutdownGracePeriod(Duration.ofMillis(500))
            .directHandlers(direct.build())
            .errorHandling(ErrorHandling.builder().includeEntity(true).build())
            .protocolsDiscoverServices(false)
            .addConnectionSelector(
                new Linger(
                    Http1Config.builder()
                        .maxHeadersSize(32768) // more than Wire lets through
                        .maxPrologueLength(8192)
                        .validateRequestHeaders(false) // Wire has already done it
                        .sendKeepAliveHeader(false)
                        .build(),
                    limits,
                    LINGER,
                    patience,
                    deadlines,
                    refusal -> unread(refusal.status(), String.valueOf(refusal.getMessage()))))
            .routing(new Routes(this).routing());
    ServerOptions.Tls tls = options.tls();
    if (tls != null) config.tls(tls(tls));
    return config.build();
  }

  private static Tls tls(ServerOptions.Tls tls) {
    Keys keys =
        Keys.builder()
            .pem(
                pem ->
                    pem.key(Resource.create(tls.key()))
                        .certChain(Resource.create(tls.certificate())))
            .build();
    return Tls.builder()
        .privateKey(keys)
        .privateKeyCertChain(keys)
        .addEnabledProtocol("TLSv1.3")
        .addEnabledProtocol("TLSv1.2")
        .build();
  }

  /// The answer to a request that is refused before it reaches a route.
  private DirectHandler.TransportResponse refused(
      DirectHandler.TransportRequest request,
      DirectHandler.EventType type,
      io.helidon.http.Status status,
      io.helidon.http.ServerResponseHeaders headers,
      @Nullable String message) {
    String said = message == null || message.isEmpty() ? status.reasonPhrase() : message;
    if (status.code() == 413) said = Body.tooLarge(options.limits().body()).getMessage();
    unread(status.code(), String.valueOf(said));
    return DirectHandler.TransportResponse.builder()
        .status(status)
        .headers(headers)
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .keepAlive(false)
        .entity(new String(Answers.bytes(Map.of("error", String.valueOf(said))), UTF_8))
        .build();
  }

  /// Counts a refusal of input that is not a request.
  private void unread(int status, String why) {
    metrics.request("none", status, 0);
    if (options.log() || status >= 500) log.info("request refused", "status", status, "error", why);
  }

  private void watch() {
    try {
      while (!closed) {
        Thread.sleep(POLL);
        models.reload(); // survives any content of a file
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server is closed
    }
  }

  /// The address that clients use.
  public String address() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return String.format(
        Locale.ROOT, "%s://%s:%d", options.tls() == null ? "http" : "https", host, port());
  }

  /// The port that the server listens on.
  public int port() {
    return web.port();
  }

  @Override
  public void close() {
    stop();
  }

  /// Completes running requests, refuses new ones, and stops.
  ///
  /// @return whether all running requests were answered in time
  public boolean stop() {
    if (closed) return true;
    closed = true;
    watcher.interrupt();
    log.info("stopping", "requests", gate.inside());
    boolean drained = false;
    try {
      drained = gate.drain(options.limits().drain().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    web.stop();
    models.close();
    pool.close();
    deadlines.close();
    HELIDON.removeHandler(webLog);
    log.info("stopped", "drained", drained);
    return drained;
  }

  ServerOptions options() {
    return options;
  }

  Log log() {
    return log;
  }

  Repository models() {
    return models;
  }

  Gate gate() {
    return gate;
  }

  /// Runs a large computation outside the threads that answer.
  <T> T compute(Callable<T> task) {
    return switch (pool.submit(() -> Outcome.of(task)).join()) {
      case Outcome.Value<T> done -> done.value();
      case Outcome.Failure<T>(RuntimeException why) -> throw why;
      case Outcome.Failure<T>(Error why) -> throw why;
      case Outcome.Failure<T>(Throwable why) -> throw new IllegalStateException(why);
    };
  }

  /// The number of threads for computations.
  int threads() {
    return pool.getParallelism();
  }

  Metrics metrics() {
    return metrics;
  }
}
