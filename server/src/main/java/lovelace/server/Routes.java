package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helidon.common.socket.SocketWriterException;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// Every route of the server, and the rules for all of them: who may ask, what is counted, and how
/// errors are reported. Further services are registered in [#routing].
final class Routes {

  private static final Header NO_SNIFFING =
      HeaderValues.createCached("X-Content-Type-Options", "nosniff");

  /// The status of a request whose client did not wait for its answer. It appears only in the log
  /// and the metrics.
  private static final int GONE = 499;

  private static final byte[] OPEN_API = Pages.resource("openapi.json");

  private final Server server;
  private final byte @Nullable [] token;
  private final Hosts hosts;
  private final Pages pages = new Pages();
  private final Studio studio;

  Routes(Server server) {
    this.server = server;
    studio = new Studio(server);
    String given = server.options().token();
    token = given == null ? null : given.getBytes(UTF_8);
    hosts = new Hosts(server.options().host(), server.options().hosts());
  }

  HttpRouting.Builder routing() {
    Protocol protocol = new Protocol(server);
    HttpRouting.Builder routing =
        HttpRouting.builder()
            .addFilter(this::filter)
            .post("/v2/models/*", protocol::post)
            .register("/v2", protocol);
    new Addresses(routing)
        .get("/metrics", this::metrics)
        .get("/openapi.json", this::openApi)
        .close();
    return routing
        .register("/studio/api", studio)
        .register("/", pages)
        .any(
            (request, response) -> {
              throw nothing();
            })
        .error(Refusal.class, (q, r, e) -> refuse(q, r, e.status(), message(e), e.hangingUp()))
        .error(HttpException.class, (q, r, e) -> refuse(q, r, e.status().code(), message(e), true))
        .error(
            RequestException.class, (q, r, e) -> refuse(q, r, e.status().code(), message(e), true))
        .error(Throwable.class, this::failed);
  }

  static Refusal nothing() {
    return new Refusal(404, "there is nothing at this address; the API is under /v2");
  }

  private static String message(Throwable e) {
    return String.valueOf(e.getMessage());
  }

  /// Sends an error. Does not wait for a long body that the client may still be sending.
  static void refuse(
      ServerRequest request, ServerResponse response, int status, String message, boolean hangUp) {
    if (hangUp || !Body.skip(request, new Refusal(status, message)))
      response.header(HeaderValues.CONNECTION_CLOSE);
    Answers.error(response, status, message);
  }

  /// Answers after a fault of the server. The log has the cause; the client learns only that it is
  /// not to blame.
  private void failed(ServerRequest request, ServerResponse response, Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    server
        .log()
        .error(
            "request failed",
            "path",
            request.prologue().uriPath().rawPath(),
            "error",
            e.toString(),
            "at",
            trace.length > 0 ? trace[0] : "");
    refuse(request, response, 500, "the server failed; its log says why", true);
  }

  private void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    long start = System.nanoTime();
    int status = 500;
    try {
      response.header(NO_SNIFFING);
      if (admitted(request, response)) chain.proceed();
      status = response.status().code();
      boolean last = isLast(request, response);
      if (last && !isRead(request)) Linger.ask();
      if (last || !Body.skip(request, null))
        throw new CloseConnectionException("no further request is read");
    } catch (Refusal e) { // the error handlers answer it, outside this method
      status = e.status();
      throw e;
    } catch (HttpException e) {
      status = e.status().code();
      throw e;
    } catch (RequestException e) {
      status = e.status().code();
      throw e;
    } catch (Wire.Late e) {
      status = e.status();
      throw e;
    } catch (ServerConnectionException | SocketWriterException | UncheckedIOException e) {
      if (!isOfConnection(e)) throw e;
      status = GONE;
      throw new CloseConnectionException("the client is gone", e);
    } finally {
      long time = System.nanoTime() - start;
      String path = request.prologue().uriPath().rawPath();
      server.metrics().request(endpoint(path), status, time);
      if (server.options().log() || status >= 500)
        server
            .log()
            .info(
                "request",
                "method",
                request.prologue().method().text(),
                "path",
                path,
                "status",
                status,
                "milliseconds",
                time / 1000 / 1e3);
    }
  }

  /// Whether the connection failed, and not the work for the request.
  private static boolean isOfConnection(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause())
      if (cause instanceof SocketException || cause instanceof SocketTimeoutException) return true;
    return e instanceof ServerConnectionException || e instanceof SocketWriterException;
  }

  private static boolean isRead(ServerRequest request) {
    return !request.content().hasEntity() || request.content().consumed();
  }

  /// Whether client or server wants no further request on this connection.
  private static boolean isLast(ServerRequest request, ServerResponse response) {
    return isClosing(response.headers()) || isClosing(request.headers());
  }

  private static boolean isClosing(Headers headers) {
    return headers.contains(HeaderNames.CONNECTION)
        && headers.containsToken(HeaderValues.CONNECTION_CLOSE);
  }

  private static String endpoint(String path) {
    boolean model = path.startsWith("/v2/models/");
    if (model && path.endsWith("/infer")) return "infer";
    if (model && path.endsWith("/observe")) return "observe";
    if (model && path.endsWith("/forecast")) return "forecast";
    if (path.startsWith("/v2/health")) return "health";
    if (path.startsWith("/v2")) return "metadata";
    if (path.startsWith("/studio/")) return "studio";
    return path.equals("/metrics") ? "metrics" : "page";
  }

  /// Refuses clients that are not allowed, and answers browsers that ask whether they are.
  private boolean admitted(ServerRequest request, ServerResponse response) {
    if (!request.prologue().method().equals(Method.POST)) {
      Refusal refusal = new Refusal(400, "only POST takes a body; send none");
      if (!Body.skip(request, refusal)) throw refusal.hangUp();
    }
    String host = Protocol.header(request, HeaderNames.HOST);
    if (!hosts.admit(host)) {
      refuse(
          request,
          response,
          403,
          "host '%s' is not a name of this server; start it with --allowed-host to allow this name"
              .formatted(Hosts.name(String.valueOf(host))),
          false);
      return false;
    }
    String origin = Protocol.header(request, HeaderNames.ORIGIN);
    String allowed = server.options().origin();
    if (origin != null) {
      if (allowed != null && (allowed.equals("*") || allowed.equals(origin))) {
        response.header(HeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        response.header(HeaderNames.VARY, "Origin");
        if (request.prologue().method().equals(Method.OPTIONS)) {
          response.header(HeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST");
          response.header(
              HeaderNames.ACCESS_CONTROL_ALLOW_HEADERS,
              "Authorization, Content-Type, Inference-Header-Content-Length");
          response.header(HeaderNames.ACCESS_CONTROL_MAX_AGE, "600");
          response.status(204).send();
          return false;
        }
        response.header(
            HeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, "Inference-Header-Content-Length");
      } else if (!own(origin, request)) {
        refuse(
            request,
            response,
            403,
            "origin '" + origin + "' is not allowed; start the server with --cors to allow it",
            false);
        return false;
      }
    }
    byte[] token = this.token;
    if (token == null || isOpen(request.prologue().uriPath().rawPath())) return true;
    String shown = Protocol.header(request, HeaderNames.AUTHORIZATION);
    if (shown != null
        && shown.regionMatches(true, 0, "Bearer ", 0, 7)
        && MessageDigest.isEqual(shown.substring(7).trim().getBytes(UTF_8), token)) return true;
    refuse(
        request,
        response,
        401,
        "this server needs a token; send 'Authorization: Bearer TOKEN'",
        false);
    return false;
  }

  /// Whether a path needs no token. Probes do not, nor do pages: they contain no data and ask for
  /// the token themselves.
  private boolean isOpen(String path) {
    return path.equals("/v2/health/live") || path.equals("/v2/health/ready") || pages.has(path);
  }

  private static boolean own(String origin, ServerRequest request) {
    try {
      return String.valueOf(URI.create(origin).getAuthority())
          .equals(Protocol.header(request, HeaderNames.HOST));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void openApi(ServerRequest request, ServerResponse response) {
    response.header(Protocol.JSON_TYPE);
    response.send(OPEN_API);
  }

  private void metrics(ServerRequest request, ServerResponse response) {
    response.header(HeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
    response.send(
        server
            .metrics()
            .text(
                server.models(),
                server.gate(),
                studio.bytes(),
                server.options().version(),
                server.options().updates())
            .getBytes(UTF_8));
  }
}
