package lovelace.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lovelace.bayesopt.Acquisition;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.Tuning;
import lovelace.example.TestFunction;
import org.jspecify.annotations.Nullable;

/// Bayesian optimisation of Eggholder, one evaluation at a time. It shows the model's mean and
/// uncertainty, the acquisition computed from both, and the point that it chooses.
final class StudioSearch {

  private static final int SIDE = 64;
  private static final int MOST = 300;

  private final TestFunction function = TestFunction.eggholder();
  private final Tuner tuner;
  private final String acquisition;
  private final int initial;
  private final List<Point> places = new ArrayList<>();
  private @Nullable Point next;
  private double[] merit = new double[0];

  private StudioSearch(String acquisition, int initial, long seed) {
    this.acquisition = acquisition;
    this.initial = initial;
    tuner =
        Tuner.of(
            function.space(),
            Tuning.DEFAULT
                .withAcquisition(Acquisition.named(acquisition))
                .withInitial(initial)
                .withNoise(0)
                .withSeed(seed));
    for (int j = 0; j < SIDE; j++)
      for (int i = 0; i < SIDE; i++) places.add(function.space().point(place(i), place(j)));
    suggest();
  }

  static StudioSearch of(JsonNode asked) {
    String acquisition = asked.path("acquisition").asText("mes");
    int initial = asked.path("initial").asInt(8);
    if (initial < 2 || initial > 50)
      throw Refusal.wrong("initial must lie between 2 and 50, got %d", initial);
    return new StudioSearch(acquisition, initial, asked.path("seed").asLong(1));
  }

  private static double place(int i) {
    return -512 + 1024.0 * i / (SIDE - 1);
  }

  private void suggest() {
    merit = tuner.acquisition(places);
    next = tuner.ask();
  }

  /// Evaluates the suggested point, and suggests the next.
  synchronized void step() {
    Point point = next;
    if (point == null) throw new IllegalStateException("nothing was suggested");
    if (tuner.history().size() >= MOST)
      throw Refusal.wrong("the search has used its %,d evaluations; start another", MOST);
    tuner.tell(point, function.at(point));
    suggest();
  }

  /// All that the page draws; with the true function if `truth`.
  synchronized Map<String, Object> about(String id, boolean truth) {
    List<double[]> history = new ArrayList<>();
    for (Observation o : tuner.history()) {
      double[] x = o.point().values();
      history.add(new double[] {x[0], x[1], o.value()});
    }
    Point point = next;
    Optional<Observation> best = tuner.best();
    Map<String, Object> about =
        Answers.map(
            "id", id,
            "acquisition", acquisition,
            "initial", initial,
            "most", MOST,
            "side", SIDE,
            "optimum", function.optimum(),
            "history", history,
            "next", point == null ? new double[0] : point.values(),
            "best", best.map(Observation::number).orElse(0),
            "model", tuner.model());
    double[][] predicted = history.size() < 2 ? new double[0][] : tuner.predict(places);
    if (predicted.length > 0) {
      double[] mean = Arrays.stream(predicted).mapToDouble(row -> row[0]).toArray();
      double[] sd = Arrays.stream(predicted).mapToDouble(row -> row[1]).toArray();
      about.put("mean", StudioView.floats(mean));
      about.put("sd", StudioView.floats(sd));
    }
    if (merit.length > 0) about.put("merit", StudioView.floats(finite(merit)));
    if (truth)
      about.put("truth", StudioView.floats(places.stream().mapToDouble(function::at).toArray()));
    return about;
  }

  private static double[] finite(double[] values) {
    double least = Arrays.stream(values).filter(Double::isFinite).min().orElse(0);
    return Arrays.stream(values).map(v -> Double.isFinite(v) ? v : least).toArray();
  }
}
