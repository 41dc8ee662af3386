package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import lovelace.Model;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `lovelace serve` in a process of its own, from its start to a signal.
class ServeIT {

  @TempDir Path folder;

  private static int run(StringWriter err, String... args) {
    return Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), args);
  }

  /// The launcher, laid out as a release.
  private Process serve(Path log, String... args) throws IOException {
    Path launcher = folder.resolve("lovelace");
    if (!Files.exists(launcher)) {
      Files.copy(Path.of("../lovelace"), launcher);
      assertTrue(launcher.toFile().setExecutable(true));
      Path lib = Files.createDirectory(folder.resolve("lib"));
      Path target = Path.of("target").toAbsolutePath();
      try (var own = Files.newDirectoryStream(target, "lovelace-cli-*.jar");
          var others = Files.newDirectoryStream(target.resolve("lib"), "*.jar")) {
        for (var jars : List.of(own, others))
          for (Path jar : jars) Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
      }
    }
    List<String> command = new ArrayList<>(List.of(launcher.toString(), "serve", "--port", "0"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().keySet().removeIf(name -> name.startsWith("LOVELACE_"));
    return builder.redirectError(log.toFile()).start();
  }

  private void fit() throws IOException {
    StringBuilder rows = new StringBuilder("a,b\n");
    for (int i = 0; i < 40; i++) rows.append("%s,%s\n".formatted(0.25 * i, Math.sin(0.25 * i)));
    Path table = folder.resolve("t.csv");
    Files.writeString(table, rows);
    String model = folder.resolve("wave.lvl").toString();
    assertEquals(
        0, run(new StringWriter(), "fit", table.toString(), "--target", "b", "--model", model));
  }

  private static HttpResponse<String> post(
      HttpClient client, String address, String path, String token, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String tensor(String name, double value) {
    return "{\"name\":\"%s\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[%s]}"
        .formatted(name, value);
  }

  private static void await(Path log, String event) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!Files.readString(log).contains(event) && System.nanoTime() < end) Thread.sleep(10);
    assertTrue(Files.readString(log).contains(event), Files.readString(log));
  }

  /// Waits until the server works on a request.
  private static void awaitRequest(HttpClient client, String address, String token)
      throws IOException, InterruptedException {
    var metrics =
        HttpRequest.newBuilder(URI.create(address).resolve("/metrics"))
            .header("Authorization", "Bearer " + token)
            .build();
    long end = System.nanoTime() + 60_000_000_000L;
    String said = "";
    while (!said.contains("lovelace_requests_active 1")) {
      assertTrue(System.nanoTime() < end, said);
      said = client.send(metrics, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  @Test
  void nothingToServeIsWrongUse() {
    StringWriter err = new StringWriter();
    assertEquals(2, run(err, "serve"));
    assertTrue(err.toString().contains("--models"), err.toString());
    err = new StringWriter();
    assertEquals(2, run(err, "serve", folder.resolve("none.lvl").toString()));
    assertTrue(err.toString().contains("there is no model"), err.toString());
    err = new StringWriter();
    assertEquals(2, run(err, "serve", "a.lvl", "--host", "0.0.0.0"));
    assertTrue(err.toString().contains("--insecure to let everybody in"), err.toString());
    assertEquals(2, run(err, "serve", "a.lvl", "--allowed-host", "a:80"));
    assertTrue(err.toString().contains("without scheme, port and path"), err.toString());
    assertEquals(2, run(err, "serve", "a.lvl", "--tls-cert", "cert.pem"));
    assertTrue(err.toString().contains("--tls-key"), err.toString());
  }

  @Test
  void aServerAnswersLearnsAndStopsOnASignalOnceAllIsAnswered() throws Exception {
    fit();
    Files.writeString(folder.resolve("token"), "secret\n");
    Path log = folder.resolve("log");
    Process server = serve(log, "wave.lvl", "--allow-updates", "--token-file", "token");
    String infer = "{\"inputs\":[" + tensor("a", 3) + "]}";
    try (BufferedReader out = server.inputReader(UTF_8);
        HttpClient client = HttpClient.newHttpClient()) {
      String address = out.readLine();
      assertTrue(address.startsWith("http://127.0.0.1:"), address);
      String path = "/v2/models/wave/infer";
      assertEquals(401, post(client, address, path, "other", infer).statusCode());
      HttpResponse<String> answer = post(client, address, path, "secret", infer);
      assertEquals(200, answer.statusCode(), answer.body());
      String observe = "{\"inputs\":[" + tensor("a", 3) + "," + tensor("b", 0.2) + "]}";
      answer = post(client, address, "/v2/models/wave/observe", "secret", observe);
      assertEquals(200, answer.statusCode(), answer.body());

      try (Socket begun =
          new Socket(InetAddress.getLoopbackAddress(), URI.create(address).getPort())) {
        String head =
            String.format(
                Locale.ROOT,
                "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nContent-Length: %d",
                path,
                infer.length());
        begun.getOutputStream().write((head + "\r\n\r\n{").getBytes(UTF_8));
        awaitRequest(client, address, "secret");
        server.destroy();
        await(log, "\"event\":\"stopping\"");
        assertEquals(503, post(client, address, path, "secret", infer).statusCode());
        assertTrue(server.isAlive());
        begun.getOutputStream().write(infer.substring(1).getBytes(UTF_8));
        String status =
            new BufferedReader(new InputStreamReader(begun.getInputStream(), UTF_8)).readLine();
        assertEquals("HTTP/1.1 200 OK", status);
      }
      assertTrue(server.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, server.exitValue(), Files.readString(log));
    } finally {
      server.destroyForcibly();
    }
    String said = Files.readString(log);
    assertTrue(said.contains("\"event\":\"stopped\",\"drained\":true"), said);
    assertEquals(41, Model.load(folder.resolve("wave.lvl")).count(), "the journal is in the file");
  }

  @Test
  void whatIsNotAnsweredInTimeIsToldByTheExitCode() throws Exception {
    fit();
    Path log = folder.resolve("log");
    Process server = serve(log, "wave.lvl", "--drain", "1");
    try (BufferedReader out = server.inputReader(UTF_8);
        HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create(out.readLine());
      try (Socket begun = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
        String head =
            "POST /v2/models/wave/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{";
        begun.getOutputStream().write(head.getBytes(UTF_8));
        awaitRequest(client, address.toString(), "none");
        server.destroy();
        assertTrue(server.waitFor(60, TimeUnit.SECONDS));
      }
      assertEquals(1, server.exitValue(), Files.readString(log));
    } finally {
      server.destroyForcibly();
    }
    assertTrue(Files.readString(log).contains("\"drained\":false"));
  }
}
