package lovelace.server;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;

/// The addresses of a service, with the methods that each accepts. Any other method is answered
/// with 405 and the header `Allow`.
final class Addresses {

  private final HttpRules rules;
  private final SequencedMap<String, Set<String>> methods = new LinkedHashMap<>();

  Addresses(HttpRules rules) {
    this.rules = rules;
  }

  Addresses get(String path, Handler handler) {
    return on(Method.GET, path, handler);
  }

  Addresses head(String path, Handler handler) {
    return on(Method.HEAD, path, handler);
  }

  Addresses post(String path, Handler handler) {
    return on(Method.POST, path, handler);
  }

  Addresses delete(String path, Handler handler) {
    return on(Method.DELETE, path, handler);
  }

  private Addresses on(Method method, String path, Handler handler) {
    rules.route(method, path, handler);
    return elsewhere(method, path);
  }

  /// Accepts a method at this address that another rule answers.
  Addresses elsewhere(Method method, String path) {
    methods.computeIfAbsent(path, p -> new TreeSet<>()).add(method.text());
    return this;
  }

  /// Refuses all other methods. Called once, after all addresses are known.
  void close() {
    for (Map.Entry<String, Set<String>> each : methods.entrySet()) {
      Set<String> allowed = each.getValue();
      rules.any(each.getKey(), (request, response) -> refuse(allowed, request, response));
    }
  }

  private static void refuse(Set<String> allowed, ServerRequest request, ServerResponse response) {
    response.header(HeaderNames.ALLOW, String.join(", ", allowed));
    Routes.refuse(
        request,
        response,
        405,
        "%s does not work at '%s'; use %s"
            .formatted(
                request.prologue().method().text(),
                request.prologue().uriPath().rawPath(),
                String.join(" or ", allowed)),
        false);
  }
}
