package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import lovelace.server.Log;
import lovelace.server.Server;
import lovelace.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace serve`: serves models by the Open Inference Protocol.
@Command(
    name = "serve",
    customSynopsis = {"lovelace serve MODEL... [OPTIONS]", "lovelace serve --models DIR [OPTIONS]"},
    description = {
      "Serve models over HTTP.",
      "The studio, a page to explore models, is at /. The Open Inference Protocol v2 is "
          + "under /v2, and metrics are at /metrics.",
      "",
      "A model is named after its file: co2.lvl is 'co2'. With --models the server follows "
          + "a folder: it loads files that appear or change, and drops files that go. "
          + "DIR/NAME/2.lvl is version 2 of model NAME.",
      "A file of 'lovelace forecast --model' is served in the same way: sales.lvf is 'sales', and "
          + "/v2/models/sales/forecast gives the forecast of a series.",
      "",
      "Only this machine can reach the server, unless --host says otherwise. Then clients "
          + "need a token. The server refuses requests under names that are not its own; "
          + "--allowed-host adds names.",
      "",
      "The address is printed on standard output. Log lines are JSON on standard error; "
          + "--quiet logs only warnings and errors. Ctrl-C or SIGTERM stops the server after it "
          + "has answered the requests it has begun. The exit code is 1 if some were not answered "
          + "in time.",
      "",
      "Examples:",
      "  lovelace serve co2.lvl",
      "  lovelace serve --models models --host 0.0.0.0 --token-file token \\",
      "      --tls-cert cert.pem --tls-key key.pem"
    })
final class ServeCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(paramLabel = "MODEL", arity = "0..*", description = "The model files to serve.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--models",
      paramLabel = "DIR",
      description = "A folder of model files to serve and follow.")
  private @Nullable Path folder;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port to listen on. 0 takes any free port (default: 8080).")
  private int port = 8080;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "The address to listen on. 0.0.0.0 listens on all (default: 127.0.0.1).")
  private String host = "127.0.0.1";

  @Option(
      names = "--allowed-host",
      paramLabel = "NAME",
      description =
          "A name that clients use for the server, without the port. Give it several times for"
              + " several names. localhost and the address of --host are always allowed, and"
              + " numeric addresses too if --host is not loopback.")
  private List<String> hosts = new ArrayList<>();

  @Option(
      names = "--insecure",
      description = "Let everybody who can reach --host use the server without a token.")
  private boolean insecure = false;

  @Option(
      names = "--allow-updates",
      description =
          "Accept observations at /v2/models/NAME/observe, and keep them in the model file.")
  private boolean updates = false;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the token that clients must send (default: the variable LOVELACE_TOKEN).")
  private @Nullable Path tokenFile;

  @Option(names = "--tls-cert", paramLabel = "FILE", description = "The certificate chain, PEM.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The key of the certificate, PEM (PKCS #8).")
  private @Nullable Path key;

  @Option(
      names = "--cors",
      paramLabel = "ORIGIN",
      description =
          "The origin of web pages that may use the server, or * for all (default: none).")
  private @Nullable String origin;

  @Option(
      names = "--max-body",
      paramLabel = "BYTES",
      description = "The most bytes in a request (default: 64 MiB).")
  private long body = ServerOptions.Limits.DEFAULT.body();

  @Option(
      names = "--max-rows",
      paramLabel = "N",
      description = "The most rows in a request, or rows times draws (default: 1,000,000).")
  private int rows = ServerOptions.Limits.DEFAULT.rows();

  @Option(
      names = "--max-requests",
      paramLabel = "N",
      description =
          "The most requests at the same time. More are answered with 429 (default: 256).")
  private int requests = ServerOptions.Limits.DEFAULT.requests();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long a request may take to arrive, and to be computed (default: 30).")
  private int timeout = (int) ServerOptions.Limits.DEFAULT.timeout().toSeconds();

  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      description = "How long stopping waits for requests that have begun (default: 30).")
  private int drain = (int) ServerOptions.Limits.DEFAULT.drain().toSeconds();

  @Mixin private final ModelOptions models = new ModelOptions();

  @Option(names = "--log-requests", description = "Log every request, not only failures.")
  private boolean log = false;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (files.isEmpty() && folder == null)
      throw new IllegalArgumentException("nothing to serve; name model files or give --models DIR");
    PrintWriter err = Quiet.errors(spec.commandLine().getErr());
    boolean quiet = spec.commandLine().getErr() instanceof Quiet;
    Server server = Server.start(options(), new Log(err::println, !quiet));
    Main.endsOnSignal();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  int code = server.stop() ? 0 : 1;
                  err.flush();
                  Runtime.getRuntime().halt(code); // a signal is the usual end
                }));
    spec.commandLine().getOut().println(server.address());
    new CountDownLatch(1).await();
    return 0;
  }

  ServerOptions options() throws IOException {
    ForkJoinPool pool = ForkJoinTask.getPool(); // the pool of --threads
    address();
    if (folder != null && !Files.isDirectory(folder))
      throw new IllegalArgumentException("--models: there is no folder '" + folder + "'");
    if (origin != null && origin.isBlank())
      throw new IllegalArgumentException("--cors is empty; name an origin, or leave it out");
    return Named.of("--port", () -> ServerOptions.DEFAULT.withAddress(host, port))
        .withFiles(files)
        .withFolder(folder)
        .withHosts(hosts)
        .withInsecure(insecure)
        .withUpdates(updates)
        .withTrust(models.trust())
        .withToken(token())
        .withTls(tls())
        .withOrigin(origin)
        .withVersion(Version.number())
        .withThreads(pool == null ? 0 : pool.getParallelism())
        .withLog(log)
        .withLimits(limits());
  }

  private ServerOptions.Limits limits() {
    var first = Named.of("--max-body", () -> ServerOptions.Limits.DEFAULT.withBody(body));
    var second = Named.of("--max-rows", () -> first.withRows(rows));
    var third = Named.of("--max-requests", () -> second.withRequests(requests));
    var fourth = Named.of("--timeout", () -> third.withTimeout(Duration.ofSeconds(timeout)));
    return Named.of("--drain", () -> fourth.withDrain(Duration.ofSeconds(drain)));
  }

  private void address() {
    try {
      if (!host.isBlank() && InetAddress.getByName(host) != null) return;
    } catch (UnknownHostException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "--host '%s' is not an address or name of this machine; 127.0.0.1 is the default"
            .formatted(host));
  }

  private @Nullable String token() throws IOException {
    if (tokenFile != null) {
      requireReadable("--token-file", tokenFile);
      return Files.readString(tokenFile).strip();
    }
    String given = System.getenv("LOVELACE_TOKEN");
    return given == null || given.isBlank() ? null : given.strip();
  }

  private ServerOptions.@Nullable Tls tls() {
    if (certificate == null && key == null) return null;
    if (certificate == null || key == null)
      throw new IllegalArgumentException("--tls-cert and --tls-key belong together; give both");
    requireReadable("--tls-cert", certificate);
    requireReadable("--tls-key", key);
    return new ServerOptions.Tls(certificate, key);
  }

  private static void requireReadable(String option, Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file))
      throw new IllegalArgumentException(
          "%s: there is no file '%s' that can be read".formatted(option, file));
  }
}
