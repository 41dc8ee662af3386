package lovelace.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import lovelace.data.Trust;
import org.jspecify.annotations.Nullable;

/// The options of a server: its models, its address and its limits.
///
/// @param files model files, each named by its stem
/// @param folder model files and folders of versions that are watched; null for none
/// @param host the address to listen on
/// @param port the port, 0 for any free one
/// @param updates whether observations are taken
/// @param trust whether model files may bring code
/// @param token the token that clients must send as `Authorization: Bearer …`; null for none
/// @param tls certificate and key; null for plain HTTP
/// @param origin the one web origin that may call from a browser, `*` for all; null for none
/// @param limits on requests, memory and time
/// @param version of the program, as clients see it
/// @param threads for long computations; 0 for one per core
/// @param log whether every request is logged, or only problems
/// @param hosts further names under which the server is reached, as clients send them in `Host`
/// @param insecure whether the server may listen beyond this machine without a token
public record ServerOptions(
    List<Path> files,
    @Nullable Path folder,
    String host,
    int port,
    boolean updates,
    Trust trust,
    @Nullable String token,
    @Nullable Tls tls,
    @Nullable String origin,
    Limits limits,
    String version,
    int threads,
    boolean log,
    List<String> hosts,
    boolean insecure) {

  /// No models, loopback port 8080, no updates, no token, no TLS, no other origins.
  public static final ServerOptions DEFAULT =
      new ServerOptions(
          List.of(),
          null,
          "127.0.0.1",
          8080,
          false,
          Trust.DATA,
          null,
          null,
          null,
          Limits.DEFAULT,
          "unknown",
          0,
          false,
          List.of(),
          false);

  /// A certificate chain and its key, both PEM.
  public record Tls(Path certificate, Path key) {}

  /// Limits. A request that exceeds one is refused with a status that says so.
  ///
  /// @param body the most bytes of a request
  /// @param rows the most rows of a request, and for samples the most rows × draws
  /// @param requests the most requests at the same time
  /// @param connections the most connections
  /// @param memory the most bytes of all current requests and answers
  /// @param timeout how long a request may take to arrive
  /// @param drain how long a shutdown waits for running requests
  /// @param pending observations that are kept in the journal before the model file is written
  ///   again
  public record Limits(
      long body,
      int rows,
      int requests,
      int connections,
      long memory,
      Duration timeout,
      Duration drain,
      int pending) {

    /// 64 MiB, a million rows, 256 requests, 4,096 connections, a quarter of the heap, 30 seconds.
    public static final Limits DEFAULT =
        new Limits(
            64L << 20,
            1_000_000,
            256,
            4096,
            Runtime.getRuntime().maxMemory() / 4,
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            10_000);

    public Limits {
      positive("body", body);
      positive("rows", rows);
      positive("requests", requests);
      positive("connections", connections);
      positive("memory", memory);
      positive("timeout", timeout.toMillis());
      positive("drain", drain.toMillis());
      positive("pending", pending);
    }

    private static void positive(String name, long value) {
      if (value < 1) throw new IllegalArgumentException(name + " must be > 0, got " + value);
    }

    public Limits withBody(long value) {
      return new Limits(value, rows, requests, connections, memory, timeout, drain, pending);
    }

    public Limits withRows(int value) {
      return new Limits(body, value, requests, connections, memory, timeout, drain, pending);
    }

    public Limits withRequests(int value) {
      return new Limits(body, rows, value, connections, memory, timeout, drain, pending);
    }

    public Limits withConnections(int value) {
      return new Limits(body, rows, requests, value, memory, timeout, drain, pending);
    }

    public Limits withMemory(long value) {
      return new Limits(body, rows, requests, connections, value, timeout, drain, pending);
    }

    public Limits withTimeout(Duration value) {
      return new Limits(body, rows, requests, connections, memory, value, drain, pending);
    }

    public Limits withDrain(Duration value) {
      return new Limits(body, rows, requests, connections, memory, timeout, value, pending);
    }

    public Limits withPending(int value) {
      return new Limits(body, rows, requests, connections, memory, timeout, drain, value);
    }
  }

  public ServerOptions {
    files = List.copyOf(files);
    hosts = hosts.stream().map(Hosts::checked).toList();
    if (port < 0 || port > 65535)
      throw new IllegalArgumentException("port must lie between 0 and 65535, got " + port);
    if (token != null && token.isBlank())
      throw new IllegalArgumentException("the token is empty; leave it out or give one");
  }

  public ServerOptions withFiles(List<Path> value) {
    return new ServerOptions(
        value, folder, host, port, updates, trust, token, tls, origin, limits, version, threads,
        log, hosts, insecure);
  }

  public ServerOptions withFolder(@Nullable Path value) {
    return new ServerOptions(
        files, value, host, port, updates, trust, token, tls, origin, limits, version, threads, log,
        hosts, insecure);
  }

  public ServerOptions withAddress(String newHost, int newPort) {
    return new ServerOptions(
        files, folder, newHost, newPort, updates, trust, token, tls, origin, limits, version,
        threads, log, hosts, insecure);
  }

  public ServerOptions withUpdates(boolean value) {
    return new ServerOptions(
        files, folder, host, port, value, trust, token, tls, origin, limits, version, threads, log,
        hosts, insecure);
  }

  public ServerOptions withTrust(Trust value) {
    return new ServerOptions(
        files, folder, host, port, updates, value, token, tls, origin, limits, version, threads,
        log, hosts, insecure);
  }

  public ServerOptions withToken(@Nullable String value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, value, tls, origin, limits, version, threads,
        log, hosts, insecure);
  }

  public ServerOptions withTls(@Nullable Tls value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, token, value, origin, limits, version, threads,
        log, hosts, insecure);
  }

  public ServerOptions withOrigin(@Nullable String value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, token, tls, value, limits, version, threads, log,
        hosts, insecure);
  }

  public ServerOptions withLimits(Limits value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, token, tls, origin, value, version, threads, log,
        hosts, insecure);
  }

  public ServerOptions withVersion(String value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, token, tls, origin, limits, value, threads, log,
        hosts, insecure);
  }

  public ServerOptions withThreads(int value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, token, tls, origin, limits, version, value, log,
        hosts, insecure);
  }

  public ServerOptions withLog(boolean value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, token, tls, origin, limits, version, threads,
        value, hosts, insecure);
  }

  public ServerOptions withHosts(List<String> value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, token, tls, origin, limits, version, threads,
        log, value, insecure);
  }

  public ServerOptions withInsecure(boolean value) {
    return new ServerOptions(
        files, folder, host, port, updates, trust, token, tls, origin, limits, version, threads,
        log, hosts, value);
  }

  /// Refuses unintended access for others: an address beyond this machine without a token.
  ///
  /// @throws IllegalArgumentException if access is not settled
  void requireSafe() {
    boolean loopback = Hosts.isLoopback(host);
    if (!loopback && token == null && !insecure)
      throw new IllegalArgumentException(
          "--host %s lets other machines reach the server, but there is no token; give --token-file FILE, or --insecure to let everybody in"
              .formatted(host));
    if (insecure && token != null)
      throw new IllegalArgumentException(
          "--insecure lets everybody in, but there is also a token; leave one of them out");
    if (insecure && loopback)
      throw new IllegalArgumentException(
          "--insecure is only for addresses that other machines can reach, but --host is %s; leave it out"
              .formatted(host));
  }
}
