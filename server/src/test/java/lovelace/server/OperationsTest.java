package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import lovelace.Model;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Operators of a server see reload, versions, access, TLS, back-pressure, shutdown, metrics.
class OperationsTest {

  private static final String GOOD =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}";

  @TempDir Path folder;

  private static HttpResponse<String> send(Server server, String path, String... headers)
      throws Exception {
    return ask(server, "GET", path, headers);
  }

  private static HttpResponse<String> ask(
      Server server, String method, String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) request.headers(headers);
    return Trial.CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aFolderIsFollowed() throws Exception {
    Model first = Trial.line(40, 1);
    Model second = Trial.line(60, 2);
    first.save(folder.resolve("a.lvl"));
    try (Server server = Trial.start(Trial.options().withFolder(folder))) {
      assertEquals(List.of("a"), server.models().names());
      Files.createDirectory(folder.resolve("b"));
      first.save(folder.resolve("b/1.lvl"));
      second.save(folder.resolve("b/10.lvl"));
      first.save(folder.resolve("b/9.lvl"));
      server.models().reload();
      assertEquals(
          "[\"1\",\"9\",\"10\"]",
          Trial.json(Trial.get(server, "/v2/models/b")).get("versions").toString());
      JsonNode newest = Trial.json(Trial.post(server, "/v2/models/b/infer", GOOD));
      assertEquals("10", newest.get("model_version").asText());
      assertEquals(second.predict(1).mean(0), Trial.output(newest, "mean")[0]);
      JsonNode oldest = Trial.json(Trial.post(server, "/v2/models/b/versions/1/infer", GOOD));
      assertEquals(first.predict(1).mean(0), Trial.output(oldest, "mean")[0]);

      second.save(folder.resolve("a.lvl"));
      server.models().reload();
      assertEquals(60, server.models().require("a", null).model().count());

      Files.writeString(folder.resolve("a.lvl"), "no model");
      server.models().reload();
      assertEquals(60, server.models().require("a", null).model().count(), "the old one stays");
      first.save(folder.resolve("a.lvl"));
      server.models().reload();
      assertEquals(200, Trial.get(server, "/v2/health/ready").statusCode());

      Files.delete(folder.resolve("a.lvl"));
      server.models().reload();
      assertEquals(404, Trial.get(server, "/v2/models/a").statusCode());
    }
  }

  @Test
  void theWatcherReloadsByItself() throws Exception {
    Trial.line(40, 1).save(folder.resolve("a.lvl"));
    try (Server server = Trial.start(Trial.options().withFolder(folder))) {
      Trial.line(60, 2).save(folder.resolve("a.lvl"));
      long end = System.nanoTime() + 20_000_000_000L;
      while (server.models().require("a", null).model().count() != 60 && System.nanoTime() < end)
        Thread.sleep(20);
      assertEquals(60, server.models().require("a", null).model().count());
    }
  }

  @Test
  void whatIsNotThereFailsTheStart() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Trial.start(Trial.options(folder.resolve("none.lvl"))).close());
    assertThrows(
        IllegalArgumentException.class,
        () -> Trial.start(Trial.options().withFolder(folder.resolve("none"))).close());
  }

  private Server one(ServerOptions options) throws IOException {
    Path file = folder.resolve("line.lvl");
    Trial.line(40, 1).save(file);
    return Trial.start(options.withFiles(List.of(file)));
  }

  @Test
  void aTokenIsAskedForEverywhereButAtProbes() throws Exception {
    try (Server server = one(Trial.options().withToken("secret"))) {
      HttpResponse<String> without = send(server, "/v2");
      assertEquals(401, without.statusCode());
      assertEquals("Bearer", without.headers().firstValue("WWW-Authenticate").orElse(""));
      for (String path :
          List.of("/studio/api/about", "/metrics", "/v2/models/line", "/openapi.json"))
        assertEquals(401, send(server, path).statusCode(), path);
      assertEquals(401, send(server, "/v2", "Authorization", "Bearer secreT").statusCode());
      assertEquals(200, send(server, "/v2", "Authorization", "Bearer secret").statusCode());
      assertEquals(200, send(server, "/v2/health/live").statusCode());
    }
  }

  @Test
  void otherOriginsAndNamesAreRefusedUnlessAsked() throws Exception {
    try (Server server = one(Trial.options())) {
      HttpResponse<String> other = send(server, "/v2", "Origin", "https://evil.example");
      assertEquals(403, other.statusCode());
      assertTrue(other.headers().firstValue("Access-Control-Allow-Origin").isEmpty());
      assertEquals(200, send(server, "/v2", "Origin", server.address()).statusCode());
    }
    try (Server server = one(Trial.options().withOrigin("https://lab.example"))) {
      HttpResponse<String> asked = send(server, "/v2", "Origin", "https://lab.example");
      assertEquals(200, asked.statusCode());
      assertEquals(
          "https://lab.example",
          asked.headers().firstValue("Access-Control-Allow-Origin").orElse(""));
      assertEquals(403, send(server, "/v2", "Origin", "https://evil.example").statusCode());
    }
  }

  @Test
  void pagesCarrySecurityHeaders() throws Exception {
    try (Server server = one(Trial.options())) {
      HttpResponse<String> page = send(server, "/");
      assertEquals(200, page.statusCode());
      for (String name :
          List.of(
              "Content-Security-Policy",
              "X-Frame-Options",
              "Referrer-Policy",
              "X-Content-Type-Options"))
        assertTrue(page.headers().firstValue(name).isPresent(), name);
    }
  }

  @Test
  void pagesAreFetchedAgainOnlyWhereTheyChanged() throws Exception {
    try (Server server = one(Trial.options())) {
      for (String path : List.of("/", "/index.html", "/studio.js", "/logo.svg")) {
        HttpResponse<String> page = send(server, path);
        String tag = page.headers().firstValue("ETag").orElse("");
        assertTrue(tag.matches("\"[0-9a-f]{32}\""), path + ": " + tag);
        for (String known : List.of(tag, "W/" + tag, "\"a\", " + tag, "*")) {
          HttpResponse<String> again = send(server, path, "If-None-Match", known);
          assertEquals(304, again.statusCode(), known);
          assertEquals("", again.body());
          assertEquals(tag, again.headers().firstValue("ETag").orElse(""));
          assertTrue(again.headers().firstValue("Content-Security-Policy").isPresent());
        }
        HttpResponse<String> changed = send(server, path, "If-None-Match", "\"a\", W/\"b\"");
        assertEquals(200, changed.statusCode());
        assertEquals(page.body(), changed.body());
      }
      assertEquals(404, send(server, "/none.js", "If-None-Match", "*").statusCode());
    }
  }

  @Test
  void headIsGetWithoutTheBody() throws Exception {
    try (Server server = one(Trial.options())) {
      for (String path : List.of("/", "/studio.css")) {
        HttpResponse<String> page = send(server, path);
        HttpResponse<String> head = ask(server, "HEAD", path);
        assertEquals(200, head.statusCode());
        assertEquals("", head.body());
        for (String name : List.of("Content-Type", "Content-Length", "ETag", "X-Frame-Options"))
          assertEquals(page.headers().firstValue(name), head.headers().firstValue(name), name);
      }
      assertEquals(404, ask(server, "HEAD", "/none.js").statusCode());
      for (String method : List.of("POST", "OPTIONS")) {
        HttpResponse<String> refused = ask(server, method, "/studio.js");
        assertEquals(405, refused.statusCode(), method);
        assertEquals("GET, HEAD", refused.headers().firstValue("Allow").orElse(""), method);
      }
    }
  }

  @Test
  void aPageBehindAProxyThatEndsTlsAsksItsOwnServer() throws Exception {
    try (Server server = one(Trial.options().withOrigin("https://lab.example"))) {
      String own = "https" + server.address().substring("http".length());
      assertEquals(200, send(server, "/v2", "Origin", own).statusCode());
      HttpResponse<String> foreign = send(server, "/v2", "Origin", "https://evil.example");
      assertEquals(403, foreign.statusCode());
      assertTrue(Trial.json(foreign).get("error").asText().contains("--cors"), foreign.body());
    }
  }

  @Test
  void browsersThatAskWhetherTheyMayAreToldWhat() throws Exception {
    try (Server server = one(Trial.options().withOrigin("https://lab.example"))) {
      HttpResponse<String> asked =
          ask(
              server,
              "OPTIONS",
              "/v2/models/line/infer",
              "Origin",
              "https://lab.example",
              "Access-Control-Request-Method",
              "POST");
      assertEquals(204, asked.statusCode());
      assertEquals(
          "GET, POST", asked.headers().firstValue("Access-Control-Allow-Methods").orElse(""));
      assertEquals("Origin", asked.headers().firstValue("Vary").orElse(""));
      assertEquals(
          403,
          ask(server, "OPTIONS", "/v2/models/line/infer", "Origin", "https://evil.example")
              .statusCode());
    }
  }

  @Test
  void metricsCountRequestsAndRows() throws Exception {
    try (Server server = one(Trial.options())) {
      for (int i = 0; i < 3; i++) Trial.post(server, "/v2/models/line/infer", GOOD);
      Trial.post(server, "/v2/models/line/infer", "{");
      Trial.get(server, "/v2/models/none");
      String text = "";
      long end = System.nanoTime() + 10_000_000_000L;
      while (!text.contains("lovelace_requests_total{endpoint=\"metadata\"")
          && System.nanoTime() < end)
        text = Trial.get(server, "/metrics").body(); // counted when sent
      assertTrue(
          text.contains("lovelace_requests_total{endpoint=\"infer\",status=\"200\"} 3\n"), text);
      assertTrue(
          text.contains("lovelace_requests_total{endpoint=\"infer\",status=\"400\"} 1\n"), text);
      assertTrue(
          text.contains("lovelace_requests_total{endpoint=\"metadata\",status=\"404\"} 1\n"), text);
      assertTrue(text.contains("lovelace_rows_total{model=\"line\"} 3\n"));
      assertTrue(text.contains("lovelace_request_seconds_count{endpoint=\"infer\"} 4\n"));
      assertTrue(
          text.contains("lovelace_request_seconds_bucket{endpoint=\"infer\",le=\"+Inf\"} 4\n"));
      assertTrue(text.contains("lovelace_model_info{model=\"line\",version=\"1\",kernel="));
    }
  }

  @Test
  void logLinesAreJson() throws Exception {
    Trial.LINES.clear();
    try (Server server = one(Trial.options().withLog(true))) {
      Trial.get(server, "/v2/models/none");
    }
    List<String> events = new ArrayList<>();
    synchronized (Trial.LINES) {
      for (String line : Trial.LINES) events.add(Trial.JSON.readTree(line).get("event").asText());
    }
    assertTrue(
        events.containsAll(List.of("model loaded", "listening", "request", "stopping", "stopped")),
        events.toString());
  }

  @Test
  void tooManyRequestsAreToldToComeBack() throws Exception {
    ServerOptions options = Trial.options();
    try (Server server = one(options.withLimits(options.limits().withRequests(2)))) {
      try (Gate.Pass a = server.gate().enter();
          Gate.Pass b = server.gate().enter()) {
        assertFalse(a.equals(b));
        HttpResponse<String> busy = Trial.post(server, "/v2/models/line/infer", GOOD);
        assertEquals(429, busy.statusCode());
        assertEquals("1", busy.headers().firstValue("Retry-After").orElse(""));
        assertEquals(200, Trial.get(server, "/v2/health/live").statusCode(), "probes pass");
      }
      assertEquals(200, Trial.post(server, "/v2/models/line/infer", GOOD).statusCode());
    }
    try (Server server = one(options.withLimits(options.limits().withMemory(20_000)))) {
      try (Gate.Pass a = server.gate().enter()) {
        a.reserve(20_000);
        assertEquals(429, Trial.post(server, "/v2/models/line/infer", GOOD).statusCode());
      }
      assertEquals(200, Trial.post(server, "/v2/models/line/infer", GOOD).statusCode());
      long end = System.nanoTime() + 10_000_000_000L;
      while (server.gate().inside() > 0 && System.nanoTime() < end) Thread.sleep(1);
      assertEquals(0, server.gate().reserved());
    }
  }

  @Test
  void stoppingWaitsForRequestsThatHaveBegun() throws Exception {
    Server server = one(Trial.options());
    int port = server.port();
    CountDownLatch inside = new CountDownLatch(1);
    Gate.Pass pass = server.gate().enter();
    CompletableFuture<Void> stop =
        CompletableFuture.runAsync(
            () -> {
              inside.countDown();
              server.close();
            });
    inside.await();
    long end = System.nanoTime() + 10_000_000_000L;
    while (!server.gate().closed() && System.nanoTime() < end) Thread.sleep(1);
    assertEquals(503, Trial.post(server, "/v2/models/line/infer", GOOD).statusCode());
    assertEquals(503, Trial.get(server, "/v2/health/ready").statusCode());
    assertFalse(stop.isDone());
    pass.close();
    stop.get();
    assertThrows(
        IOException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
  }

  @Test
  void tlsIsSpokenWithACertificate() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process made =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .start();
    String said =
        new String(made.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertEquals(0, made.waitFor(), said);
    KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    Path certificate = folder.resolve("cert.pem");
    Path key = folder.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("a").getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", keys.getKey("a", "changeit".toCharArray()).getEncoded()));
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("a", keys.getCertificate("a"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (Server server = one(Trial.options().withTls(new ServerOptions.Tls(certificate, key)));
        HttpClient client =
            HttpClient.newBuilder()
                .sslContext(context)
                .connectTimeout(Duration.ofSeconds(10))
                .build()) {
      assertTrue(server.address().startsWith("https://"));
      HttpResponse<String> about =
          client.send(
              HttpRequest.newBuilder(URI.create(server.address() + "/v2")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, about.statusCode());
      assertThrows(
          IOException.class,
          () ->
              Trial.CLIENT.send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v2"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString()));
    }
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), what);
  }
}
