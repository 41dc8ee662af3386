package lovelace.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.plan.Engine;

/// Models to serve, and a client to ask with.
final class Trial {

  static final ObjectMapper JSON = new ObjectMapper();
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Trial() {}

  /// `y = sin x + noise` on [0, 10], learned from `rows` rows.
  static Model line(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[rows];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      x[i] = 10 * random.nextDouble();
      y[i] = Math.sin(x[i]) + 0.1 * random.nextGaussian();
    }
    return fixed(1).to(Dataset.of(x, 1, y));
  }

  /// `y = sin(depth) cos(age)` of two named columns.
  static Model plane(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[2 * rows];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      x[2 * i] = 5 * random.nextDouble();
      x[2 * i + 1] = 5 * random.nextDouble();
      y[i] = Math.sin(x[2 * i]) * Math.cos(x[2 * i + 1]) + 0.05 * random.nextGaussian();
    }
    return fixed(2)
        .to(
            Dataset.of(x, 2, y)
                .named(
                    List.of(Column.of("depth", "m"), Column.of("age")),
                    Column.of("temperature", "K")));
  }

  /// A function of five columns by the rows nearest to each point; the third is all but unused.
  static Model wide(int rows, int neighbours, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = random.doubles(5L * rows, 0, 4).toArray();
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++)
      y[i] = Math.sin(x[5 * i]) * x[5 * i + 1] + 0.5 * x[5 * i + 4] + 0.05 * random.nextGaussian();
    return Fit.DEFAULT
        .withEngine(Engine.NEIGHBOURS)
        .withNeighbours(neighbours)
        .withKernel("4.0*matern52(lengthscale=[2,4,40,40,8])")
        .withTraining(false)
        .set("noise", 0.01)
        .set("mean", 1)
        .to(Dataset.of(x, 5, y));
  }

  private static Fit fixed(int d) {
    return Fit.DEFAULT
        .withEngine(Engine.SPECTRAL)
        .withKernel(d == 1 ? "1.0*rbf(lengthscale=1.0)" : "1.0*rbf(lengthscale=1.5)")
        .withTraining(false)
        .withMean("zero")
        .fix("noise", 0.01);
  }

  static ServerOptions options(Path... files) {
    return ServerOptions.DEFAULT.withFiles(List.of(files)).withAddress("127.0.0.1", 0);
  }

  static final List<String> LINES = Collections.synchronizedList(new ArrayList<>());

  static Server start(ServerOptions options) throws IOException {
    return Server.start(options, new Log(LINES::add));
  }

  static HttpResponse<String> get(Server server, String path)
      throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(server.address() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  static HttpResponse<String> post(Server server, String path, String body)
      throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }

  /// The data of one output of an answer.
  static double[] output(JsonNode answer, String name) {
    for (JsonNode output : answer.get("outputs"))
      if (output.get("name").asText().equals(name)) {
        JsonNode data = output.get("data");
        double[] values = new double[data.size()];
        for (int i = 0; i < values.length; i++)
          values[i] =
              data.get(i).isBoolean() ? (data.get(i).asBoolean() ? 1 : 0) : data.get(i).asDouble();
        return values;
      }
    throw new AssertionError("no output " + name + " in " + answer);
  }
}
