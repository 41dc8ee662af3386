package lovelace.plot;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.likelihood.Likelihood.Size;
import lovelace.posterior.Prediction;

/// The quantity that a picture shows of a model: the function, the rate, the probability, or
/// observations.
record Asked(Model model, Of of) {

  /// How far marks of classes are spread from 0 and 1.
  private static final double SPREAD = 0.05;

  private static final double GOLDEN = 0.6180339887498949;

  static Asked of(Model model, Pictures.Options options) {
    Of given = options.of();
    return new Asked(model, given == null ? model.likelihood().usual() : given);
  }

  Prediction predict(double[] points) {
    return model.predict(points, of, new double[0]);
  }

  /// Draws of functions. For observations, these are draws of their rate, probability or function.
  double[] draws(double[] points, int count, long seed) {
    Of drawn = of == Of.OBSERVATION ? model.likelihood().usual() : of;
    return model.sample(points, count, drawn, new double[0], new SplittableRandom(seed));
  }

  /// Whether values are probabilities.
  boolean isProbability() {
    return of == Of.PROBABILITY;
  }

  /// Whether rows are of two classes.
  boolean isClasses() {
    Likelihood likelihood = model.likelihood();
    return likelihood.has(Of.PROBABILITY) && likelihood.size() == Size.NONE;
  }

  /// Whether values of the target, per unit of size, are estimates of the shown quantity.
  private boolean holdsTargets() {
    return of != Of.FUNCTION || model.likelihood().usual() == Of.FUNCTION;
  }

  /// The quantity that the model describes.
  String subject() {
    String target = model.target().name();
    return model.window().isPresent() ? "intensity of " + target : target;
  }

  /// The shown quantity, with units.
  String label() {
    Column target = model.target();
    return switch (of) {
      case FUNCTION -> holdsTargets() ? target.label() : "latent function of " + target.name();
      case RATE ->
          model
              .window()
              .map(window -> window.unit(model.columns()))
              .orElseGet(() -> rate() + target.label());
      case PROBABILITY ->
          isClasses()
              ? "probability of %s = %s"
                  .formatted(target.name(), target.isText() ? target.format(1) : "1")
              : "probability of a success (%s)".formatted(target.name());
      case OBSERVATION -> target.label();
    };
  }

  /// The quantity of a mean or deviation, with units. That of an observation includes noise, and
  /// its name says so.
  String quantity() {
    return of == Of.OBSERVATION ? "an observation of " + label() : label();
  }

  private String rate() {
    return model.likelihood().size() == Size.EXPOSURE ? "rate of " : "mean of ";
  }

  /// The quantity of bands or deviations.
  String about() {
    return switch (of) {
      case FUNCTION ->
          holdsTargets() ? "the function, without noise" : "the latent function, without noise";
      case RATE ->
          model.window().isPresent() ? "the intensity" : "the rate, without the noise of a row";
      case PROBABILITY -> "the probability";
      case OBSERVATION ->
          switch (model.likelihood().size()) {
            case EXPOSURE -> "observations of exposure 1";
            case TRIALS -> "observations of one trial";
            default -> "observations, noise included";
          };
    };
  }

  /// Adds rows to a plot along a column: as dots if they can be compared with the shown quantity,
  /// otherwise by their places. Marks of classes are spread a little, so that many can be told
  /// apart.
  void rows(Plot plot, String name, Dataset data, int column) {
    double[] x = Shown.column(data, column);
    if (!holdsTargets() || model.window().isPresent()) {
      plot.heap(name, x);
      return;
    }
    double[] y = targets(data);
    String what = name;
    if (isClasses()) {
      for (int i = 0; i < y.length; i++) {
        double jitter = SPREAD * ((i * GOLDEN) % 1);
        if (y[i] == 0) y[i] -= jitter;
        else if (y[i] == 1) y[i] += jitter;
      }
      what += ", spread beyond 0 and 1";
    } else if (model.likelihood().size() == Size.EXPOSURE
        && Arrays.stream(data.weights()).anyMatch(w -> w != 1)) {
      what += ", per unit of exposure";
    } else if (model.likelihood().size() == Size.TRIALS) {
      what += ", share of trials";
    }
    plot.points(what, x, y, Palette.BLACK, Plot.Mark.DOT);
  }

  /// Targets per unit of size, if targets are sums over their size.
  double[] targets(Dataset data) {
    double[] y = data.target().clone();
    if (model.likelihood().usual() != Of.FUNCTION && data.weighted())
      for (int i = 0; i < y.length; i++) y[i] /= data.weight(i);
    return y;
  }
}
