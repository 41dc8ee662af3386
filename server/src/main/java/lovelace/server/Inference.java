package lovelace.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import lovelace.Model;
import lovelace.budget.Budget;
import lovelace.exact.ExactGp;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.PointSampler;
import lovelace.lattice.Sampling;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Gaussian;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;

/// Computes a model's answer to a request.
final class Inference {

  private static final String QUANTILES = "quantiles";
  private static final String SAMPLES = "samples";

  /// The outputs of a model in the order of its metadata.
  static List<String> outputs(Likelihood likelihood) {
    List<String> names = new ArrayList<>(List.of("mean", "variance", "stddev", "lower", "upper"));
    for (Of of : List.of(Of.RATE, Of.PROBABILITY)) if (likelihood.has(of)) names.add(of.toString());
    names.addAll(List.of("outside", QUANTILES, SAMPLES));
    return names;
  }

  /// From this many bytes on, the pool computes a request, because writing the answer also takes
  /// time.
  private static final int LARGE = 16384;

  /// Rows that are predicted between two checks of the time.
  private static final int BLOCK = 8192;

  /// The same for an exact model, where the cost of a row is quadratic in its observations.
  private static final int EXACT_BLOCK = 8 * ExactGp.PANEL;

  /// The most rows for which draws use a dense covariance: rows of an exact model, or with some
  /// beyond the grid.
  private static final int JOINT = 4096;

  private final Served.Version version;
  private final InferRequest request;
  private final List<InferRequest.Output> outputs = new ArrayList<>();
  private final int draws;
  private final Of of;
  private final double[] sizes;
  private final double[] points;

  /// Takes a request about a model, of at most `most` rows.
  Inference(Served.Version version, InferRequest request, int most) {
    this.version = version;
    this.request = request;
    Likelihood likelihood = version.model().likelihood();
    of = request.of(likelihood);
    List<String> names = outputs(likelihood);
    List<InferRequest.Output> wanted = request.outputs;
    if (wanted == null || wanted.isEmpty()) {
      for (String name : names)
        if (!(name.equals(SAMPLES) && request.draws == 0)
            && !(name.equals(QUANTILES) && request.quantiles.length == 0))
          outputs.add(new InferRequest.Output(name, null));
    } else {
      for (InferRequest.Output output : wanted) {
        if (!names.contains(output.name()))
          throw Refusal.wrong(
              "unknown output '%s'; there are %s", output.name(), String.join(", ", names));
        if (output.name().equals(QUANTILES) && request.quantiles.length == 0)
          throw Refusal.wrong(
              "output 'quantiles' needs the parameter 'quantiles'; send it, for example [0.1, 0.5, 0.9]");
        if (has(output.name()))
          throw Refusal.wrong("output '%s' is asked for twice", output.name());
        outputs.add(output);
      }
    }
    draws = has(SAMPLES) ? Math.max(1, request.draws) : 0;
    sizes = request.sizes(version.model(), of, most);
    points = request.points(version.model(), most);
  }

  private boolean has(String name) {
    for (InferRequest.Output output : outputs) if (output.name().equals(name)) return true;
    return false;
  }

  /// Whether the pool should compute this request, whose body has `bytes` bytes.
  boolean isLong(int bytes) {
    return bytes >= LARGE
        || draws > 0
        || !Effort.isQuick(version.model(), points, outputs.size() + request.quantiles.length);
  }

  /// Computes the whole answer. Refuses if it is not ready by `end`, a time of [System#nanoTime].
  InferAnswer answer(ServerOptions.Limits limits, int threads, Gate.Pass pass, long end) {
    return within(end, () -> computed(limits, threads, pass, end));
  }

  /// Computes something by a time of [System#nanoTime]. Refuses if it is not ready then.
  static <T> T within(long end, Supplier<T> work) {
    Budget budget =
        Budget.of(
            Duration.ofNanos(Math.max(1, end - System.nanoTime())),
            Budget.UNLIMITED.memory(),
            System::nanoTime);
    try {
      return budget.call(work::get);
    } catch (RuntimeException e) {
      if (Failure.root(e) instanceof Budget.TimeUpException) throw tooLong();
      throw e;
    }
  }

  private InferAnswer computed(ServerOptions.Limits limits, int threads, Gate.Pass pass, long end) {
    Model model = version.model();
    int d = model.columns().size();
    int rows = points.length / d;
    if (sizes.length > 0 && sizes.length != rows)
      throw Refusal.wrong(
          "input '%s' has %,d rows, the other inputs have %,d; send the same number of rows",
          InferRequest.sizeName(model), sizes.length, rows);
    if ((long) rows * draws > limits.rows())
      throw new Refusal(
          413,
          String.format(
              Locale.ROOT,
              "%,d rows times %,d draws are more than %,d; ask for fewer",
              rows,
              draws,
              limits.rows()));
    RowPosterior held = model.held().orElse(null);
    boolean dense = held != null && held.isDense();
    if (dense && draws > 0 && rows > JOINT)
      throw tooMany(rows, "of an exact model", "ask for fewer rows");
    // each thread works on a panel
    if (held != null)
      pass.reserve(held.panelBytes(Math.min(rows, Math.max(1, threads) * ExactGp.PANEL)));
    if (rows > 64)
      pass.reserve(
          (long) rows * (64 + 28L * (outputs.size() + request.quantiles.length) + 36L * draws));
    double[][] values = new double[outputs.size()][];
    for (int k = 0; k < values.length; k++)
      values[k] = new double[isSamples(k) ? 0 : rows * width(k)];
    boolean outside = false;
    int block = dense ? EXACT_BLOCK : BLOCK;
    for (int from = 0; from < rows; from += block) {
      check(end);
      int to = Math.min(rows, from + block);
      double[] some =
          from == 0 && to == rows ? points : Arrays.copyOfRange(points, from * d, to * d);
      double[] own = sizes.length == 0 ? sizes : Arrays.copyOfRange(sizes, from, to);
      Prediction prediction = model.predict(some, of, own);
      for (int k = 0; k < values.length; k++)
        if (!isSamples(k)) fill(outputs.get(k).name(), model, some, prediction, values[k], from);
      for (int i = 0; draws > 0 && i < to - from; i++) outside |= prediction.outside(i);
    }
    boolean kriged = draws > 0 && model.lattice().map(LatticePosterior::kriges).orElse(false);
    if (kriged && rows > JOINT && model.jointBytes(points) > 0)
      throw tooMany(rows, "between grid points", "ask for fewer, or for grid points");
    if (outside && rows > JOINT)
      throw tooMany(rows, "some of which lie beyond the grid", "ask for fewer, or leave those out");
    for (int k = 0; k < values.length; k++)
      if (isSamples(k)) {
        if (outside || held != null || kriged) pass.reserve(model.jointBytes(points));
        values[k] = samples(model, points, sizes, () -> check(end));
      }
    return write(values, rows);
  }

  private static Refusal tooMany(int rows, String what, String remedy) {
    return new Refusal(
        413,
        String.format(
            Locale.ROOT,
            "joint samples at %,d rows %s need a dense covariance, which may have %,d rows; %s",
            rows,
            what,
            JOINT,
            remedy));
  }

  private boolean isSamples(int output) {
    return outputs.get(output).name().equals(SAMPLES);
  }

  /// The number of values of an output for each row.
  private int width(int output) {
    return outputs.get(output).name().equals(QUANTILES) ? request.quantiles.length : 1;
  }

  private static void check(long end) {
    if (System.nanoTime() - end > 0) throw tooLong();
  }

  private static Refusal tooLong() {
    return new Refusal(504, "the answer takes too long; ask for fewer rows or draws, or try later");
  }

  private void fill(
      String name, Model model, double[] points, Prediction prediction, double[] out, int from) {
    int rows = prediction.size();
    switch (name) {
      case "mean" -> {
        for (int i = 0; i < rows; i++) out[from + i] = prediction.mean(i);
      }
      case "variance" -> {
        for (int i = 0; i < rows; i++) out[from + i] = prediction.variance(i);
      }
      case "stddev" -> {
        for (int i = 0; i < rows; i++) out[from + i] = prediction.deviation(i);
      }
      case "outside" -> {
        for (int i = 0; i < rows; i++) out[from + i] = prediction.outside(i) ? 1 : 0;
      }
      case "rate" ->
          System.arraycopy(means(model, points, prediction, Of.RATE), 0, out, from, rows);
      case "probability" ->
          System.arraycopy(means(model, points, prediction, Of.PROBABILITY), 0, out, from, rows);
      case QUANTILES -> {
        int count = request.quantiles.length;
        for (int i = 0; i < rows; i++)
          for (int q = 0; q < count; q++)
            out[(from + i) * count + q] = prediction.quantile(i, request.quantiles[q]);
      }
      default -> {
        double sign = name.equals("lower") ? -1 : 1;
        double deviations = Gaussian.quantile(0.5 * (1 + sign * request.interval));
        for (int i = 0; i < rows; i++) out[from + i] = prediction.quantileAt(i, deviations);
      }
    }
  }

  private double[] means(Model model, double[] points, Prediction known, Of wanted) {
    return (of == wanted ? known : model.predict(points, wanted)).means();
  }

  /// Joint draws, one row each. The same seed gives the same draws.
  private double[] samples(Model model, double[] points, double[] sizes, Runnable check) {
    var random = new SplittableRandom(request.seed);
    boolean noise = of == Of.OBSERVATION;
    if (of != Of.FUNCTION && (!model.likelihood().isGaussian() || sizes.length > 0)) {
      check.run();
      return model.sample(points, draws, of, sizes, random);
    }
    double[] drawn;
    LatticePosterior lattice = model.drift().isEmpty() ? model.lattice().orElse(null) : null;
    check.run();
    if (lattice != null) {
      PointSampler at = lattice.sampler(Sampling.Method.AUTO).at(model.features(points));
      drawn = at.draw(draws, noise, random, check);
    } else {
      var own = random.split();
      drawn = model.posterior().sample(points, draws, random);
      double sigma = noise ? Math.sqrt(model.noise()) : 0;
      if (noise) for (int i = 0; i < drawn.length; i++) drawn[i] += sigma * own.nextGaussian();
    }
    for (int i = 0; i < drawn.length; i++) drawn[i] = model.transform().invert(drawn[i]);
    return drawn;
  }

  private InferAnswer write(double[][] values, int rows) {
    List<InferAnswer.Numbers> all = new ArrayList<>();
    for (int k = 0; k < values.length; k++) {
      InferRequest.Output output = outputs.get(k);
      int[] shape =
          switch (output.name()) {
            case SAMPLES -> new int[] {draws, rows};
            case QUANTILES -> new int[] {rows, request.quantiles.length};
            default -> new int[] {rows};
          };
      all.add(
          new InferAnswer.Numbers(
              output.name(),
              shape,
              values[k],
              output.name().equals("outside"),
              request.binary(output)));
    }
    return InferAnswer.of(version, request, all, rows);
  }
}
