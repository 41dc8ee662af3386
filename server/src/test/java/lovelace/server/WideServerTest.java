package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A model of many columns that predicts from its nearest rows, served.
class WideServerTest {

  private static final Model WIDE = Trial.wide(400, 30, 3);

  @TempDir Path folder;

  private Server serve() throws Exception {
    Path file = folder.resolve("wide.lvl");
    WIDE.save(file);
    return Trial.start(Trial.options(file).withUpdates(true));
  }

  private static String rows(double[] points) throws Exception {
    return "{\"name\":\"x\",\"shape\":[%s,5],\"datatype\":\"FP64\",\"data\":%s}"
        .formatted(points.length / 5, Trial.JSON.writeValueAsString(points));
  }

  private static JsonNode ask(Server server, String path, String body) throws Exception {
    HttpResponse<String> response = Trial.post(server, "/v2/models/wide/" + path, body);
    assertEquals(200, response.statusCode(), response.body());
    return Trial.json(response);
  }

  private static JsonNode infer(Server server, double[] points) throws Exception {
    return ask(server, "infer", "{\"inputs\":[" + rows(points) + "]}");
  }

  @Test
  void anAnswerDoesNotDependOnItsBatch() throws Exception {
    double[] points = new SplittableRandom(4).doubles(5 * 70, 0, 4).toArray();
    Prediction expected = WIDE.predict(points);
    try (Server server = serve()) {
      JsonNode all = infer(server, points);
      assertArrayEquals(expected.means(), Trial.output(all, "mean"));
      for (int i : new int[] {0, 33, 69}) {
        JsonNode one = infer(server, Arrays.copyOfRange(points, 5 * i, 5 * i + 5));
        assertEquals(expected.mean(i), Trial.output(one, "mean")[0]);
        assertEquals(expected.variance(i), Trial.output(one, "variance")[0]);
      }
    }
  }

  @Test
  void observationsJoinTheRows() throws Exception {
    double[] place = {1, 3.9, 1, 1, 3.9};
    double before = WIDE.predict(place).deviation(0);
    Model with = WIDE.with(Dataset.of(place, WIDE.columns(), new double[] {5}, WIDE.target()));
    try (Server server = serve()) {
      ask(
          server,
          "observe",
          "{\"inputs\":["
              + rows(place)
              + ",{\"name\":\"y\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[5]}]}");
      JsonNode after = infer(server, place);
      assertEquals(with.predict(place).mean(0), Trial.output(after, "mean")[0], 1e-12);
      double deviation = Math.sqrt(Trial.output(after, "variance")[0]);
      assertTrue(deviation < before, deviation + " and " + before);
    }
  }
}
