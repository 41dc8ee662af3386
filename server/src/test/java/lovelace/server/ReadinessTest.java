package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import lovelace.Model;
import lovelace.io.ModelFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The readiness that a server reports while files are broken.
class ReadinessTest {

  private static final Model LINE = Trial.line(40, 1);
  private static final String GOOD =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}";

  @TempDir Path folder;

  private Server start() throws IOException {
    return Trial.start(Trial.options().withFolder(folder));
  }

  /// The answer of the readiness probe, after the files were looked at twice.
  private static JsonNode health(Server server, int status) throws Exception {
    server.models().reload();
    server.models().reload();
    HttpResponse<String> answer = Trial.get(server, "/v2/health/ready");
    assertEquals(status, answer.statusCode(), answer.body());
    JsonNode json = Trial.json(answer);
    assertEquals(status == 200, json.get("ready").asBoolean());
    return json;
  }

  @Test
  void aBrokenFileThatArrivesConcernsOnlyItsModel() throws Exception {
    LINE.save(folder.resolve("a.lvl"));
    try (Server server = start()) {
      assertFalse(health(server, 200).has("broken"));
      Files.writeString(folder.resolve("b.lvl"), "no model");
      assertEquals(
          "[{\"name\":\"b\",\"version\":\"1\",\"serving\":false}]",
          health(server, 200).get("broken").toString());
      assertEquals(200, Trial.get(server, "/v2/models/a/ready").statusCode());
      HttpResponse<String> ready = Trial.get(server, "/v2/models/b/ready");
      assertEquals(503, ready.statusCode());
      assertTrue(Trial.json(ready).at("/broken/0/error").asText().contains("b.lvl"), ready.body());
      HttpResponse<String> asked = Trial.post(server, "/v2/models/b/infer", GOOD);
      assertEquals(503, asked.statusCode());
      assertTrue(asked.body().contains("b.lvl"), asked.body());
      assertEquals(404, Trial.get(server, "/v2/models/c/ready").statusCode());
      String metric = "lovelace_model_file_broken{model=\"b\",version=\"1\",serving=\"false\"} 1\n";
      assertTrue(Trial.get(server, "/metrics").body().contains(metric));

      LINE.save(folder.resolve("b.lvl"));
      assertFalse(health(server, 200).has("broken"));
      assertEquals(200, Trial.post(server, "/v2/models/b/infer", GOOD).statusCode());
      assertFalse(Trial.get(server, "/metrics").body().contains("lovelace_model_file_broken{"));
    }
  }

  @Test
  void aModelReplacedByABrokenFileGoesOnUntilItIsRepairedOrRemoved() throws Exception {
    Path file = folder.resolve("a.lvl");
    LINE.save(file);
    Trial.LINES.clear();
    try (Server server = start()) {
      Path kept = folder.resolve("kept");
      Files.move(file, kept);
      Files.writeString(file, "no model");
      for (int i = 0; i < 2; i++)
        assertEquals(
            "[{\"name\":\"a\",\"version\":\"1\",\"serving\":true}]",
            health(server, 200).get("broken").toString());
      assertEquals(200, Trial.post(server, "/v2/models/a/infer", GOOD).statusCode());
      HttpResponse<String> ready = Trial.get(server, "/v2/models/a/ready");
      assertEquals(200, ready.statusCode());
      assertTrue(Trial.json(ready).has("broken"), ready.body());
      long said = Trial.LINES.stream().filter(line -> line.contains("model not loaded")).count();
      assertEquals(1, said, "once, not at every look");

      Files.move(kept, file, StandardCopyOption.REPLACE_EXISTING); // the very file it had
      assertFalse(health(server, 200).has("broken"));

      Files.writeString(file, "no model again");
      assertTrue(health(server, 200).has("broken"));
      Files.delete(file);
      assertFalse(health(server, 200).has("broken"));
      assertEquals(404, Trial.get(server, "/v2/models/a").statusCode());
    }
  }

  @Test
  void aBrokenNewVersionLeavesTheOneBefore() throws Exception {
    Files.createDirectory(folder.resolve("a"));
    LINE.save(folder.resolve("a/1.lvl"));
    try (Server server = start()) {
      Files.writeString(folder.resolve("a/2.lvl"), "no model");
      health(server, 200);
      assertEquals(200, Trial.post(server, "/v2/models/a/infer", GOOD).statusCode());
      assertEquals(503, Trial.post(server, "/v2/models/a/versions/2/infer", GOOD).statusCode());
      assertEquals(200, Trial.get(server, "/v2/models/a/ready").statusCode());
      assertEquals(503, Trial.get(server, "/v2/models/a/versions/2/ready").statusCode());
      LINE.save(folder.resolve("a.lvl")); // version 1 as well
      assertEquals(2, health(server, 200).get("broken").size());
    }
  }

  @Test
  void anEmptyFolderIsReadyAndAFolderOfNothingButBrokenFilesIsNot() throws Exception {
    try (Server server = start()) {
      assertFalse(health(server, 200).has("broken"));
      Files.writeString(folder.resolve("a.lvl"), "no model");
      assertTrue(health(server, 503).has("broken"));
    }
    try (Server server = start()) { // broken files of a folder do not keep a server from starting
      assertTrue(health(server, 503).has("broken"));
      LINE.save(folder.resolve("b.lvl"));
      assertTrue(health(server, 200).has("broken"));
    }
  }

  @Test
  void aBrokenFileThatWasNamedStopsTheStartAndNothingStaysLocked() throws Exception {
    Path good = folder.resolve("a.lvl");
    Path bad = folder.resolve("b.lvl");
    LINE.save(good);
    Files.writeString(bad, "no model");
    ServerOptions both = Trial.options(good, bad).withUpdates(true);
    assertThrows(ModelFormatException.class, () -> Trial.start(both).close());
    LINE.save(bad);
    Trial.start(both).close();
  }

  @Test
  void errorsWhileLoadingEndNeitherTheWatchingNorTheServer() throws Exception {
    Map<String, Error> errors =
        Map.of(
            "native", new UnsatisfiedLinkError("no tensors in java.library.path"),
            "class", new NoClassDefFoundError("ai/djl/Model"),
            "memory", new OutOfMemoryError("Java heap space"));
    Repository.Loader loader =
        (path, trust) -> {
          Error error = errors.get(Repository.stem(path));
          if (error != null) throw error;
          return Model.load(path, trust);
        };
    LINE.save(folder.resolve("a.lvl"));
    Trial.LINES.clear();
    ServerOptions options = Trial.options().withFolder(folder);
    try (Server server = Server.start(options, new Log(Trial.LINES::add), loader)) {
      for (String name : errors.keySet()) LINE.save(folder.resolve(name + ".lvl"));
      health(server, 200);
      for (Map.Entry<String, Error> entry : errors.entrySet()) {
        String answer = Trial.post(server, "/v2/models/" + entry.getKey() + "/infer", GOOD).body();
        assertTrue(answer.contains(entry.getValue().toString()), answer);
        String log = String.join("\n", Trial.LINES);
        assertTrue(log.contains(entry.getValue().toString()), log);
      }
      Trial.line(60, 2).save(folder.resolve("later.lvl")); // the watcher itself finds it
      long end = System.nanoTime() + 20_000_000_000L;
      while (!server.models().names().contains("later") && System.nanoTime() < end)
        Thread.sleep(20);
      assertEquals(List.of("a", "later"), server.models().names());
    }
    ServerOptions named = Trial.options(folder.resolve("native.lvl"));
    var e =
        assertThrows(
            IOException.class,
            () -> Server.start(named, new Log(Trial.LINES::add), loader).close());
    assertTrue(String.valueOf(e.getMessage()).contains("no tensors"), e.getMessage());
  }
}
