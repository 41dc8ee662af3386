package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A model of longitudes and latitudes, served.
class PlaceServerTest {

  @TempDir Path folder;

  private static Model model() {
    var random = new SplittableRandom(3);
    double[] x = new double[120];
    double[] y = new double[60];
    for (int i = 0; i < 60; i++) {
      x[2 * i] = 8 + 4 * random.nextDouble();
      x[2 * i + 1] = 46 + 3 * random.nextDouble();
      y[i] = Math.sin(x[2 * i]) + random.nextGaussian() / 10;
    }
    List<Column> columns = List.of(Column.of("lon"), Column.of("lat"));
    return Fit.DEFAULT
        .withPlace(Place.lonLat("lon", "lat"))
        .withTraining(false)
        .set("lengthscale", 80)
        .set("outputscale", 1)
        .set("noise", 0.01)
        .set("mean", 0)
        .to(Dataset.of(x, columns, y, Column.of("y")));
  }

  /// The same places, with an elevation that only the mean reads.
  private static Model drifted() {
    var random = new SplittableRandom(4);
    double[] x = new double[180];
    double[] y = new double[60];
    for (int i = 0; i < 60; i++) {
      x[3 * i] = 8 + 4 * random.nextDouble();
      x[3 * i + 1] = 46 + 3 * random.nextDouble();
      x[3 * i + 2] = 3000 * random.nextDouble();
      y[i] = x[3 * i + 2] / 100 + random.nextGaussian();
    }
    List<Column> columns = List.of(Column.of("lon"), Column.of("lat"), Column.of("elevation"));
    return Fit.DEFAULT
        .withPlace(Place.lonLat("lon", "lat"))
        .withDrift(List.of("elevation"))
        .withTraining(false)
        .set("lengthscale", 80)
        .set("outputscale", 1)
        .set("noise", 1)
        .to(Dataset.of(x, columns, y, Column.of("y")));
  }

  @Test
  void elevationsOfADriftAreNoCoordinates() throws Exception {
    Model model = drifted();
    Path file = folder.resolve("place.lvl");
    model.save(file);
    double[] points = {9, 47, 500, 11.5, 48.5, 2500};
    try (Server server = Trial.start(Trial.options(file))) {
      HttpResponse<String> answer =
          Trial.post(
              server,
              "/v2/models/place/infer",
              "{\"inputs\":[{\"name\":\"x\",\"shape\":[2,3],\"datatype\":\"FP64\",\"data\":%s}]}"
                  .formatted(Trial.JSON.writeValueAsString(points)));
      assertEquals(200, answer.statusCode(), answer.body());
      assertArrayEquals(model.predict(points).means(), Trial.output(Trial.json(answer), "mean"));
    }
  }

  private static HttpResponse<String> infer(Server server, double... points) throws Exception {
    return Trial.post(
        server,
        "/v2/models/place/infer",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[%s,2],\"datatype\":\"FP64\",\"data\":%s}]}"
            .formatted(points.length / 2, Trial.JSON.writeValueAsString(points)));
  }

  @Test
  void degreesAreAskedAndAnswered() throws Exception {
    Model model = model();
    Path file = folder.resolve("place.lvl");
    model.save(file);
    double[] points = {9, 47, 11.5, 48.5};
    Prediction expected = model.predict(points);
    try (Server server = Trial.start(Trial.options(file).withUpdates(true))) {
      HttpResponse<String> answer = infer(server, points);
      assertEquals(200, answer.statusCode(), answer.body());
      JsonNode all = Trial.json(answer);
      assertArrayEquals(expected.means(), Trial.output(all, "mean"));
      HttpResponse<String> wrong = infer(server, 9, 47, 9, 95);
      assertEquals(400, wrong.statusCode(), wrong.body());
      assertTrue(wrong.body().contains("'lat' is 95.0"), wrong.body());
    }
  }
}
