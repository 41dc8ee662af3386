package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.experiments.SampleMethods;
import lovelace.experiments.SampleMethods.Conditioning;
import lovelace.experiments.SampleMethods.Drawing;
import lovelace.experiments.Search;
import lovelace.experiments.WarmMedian;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.Sampling;
import lovelace.linear.Blas;

/// Measures joint samples of one problem by every method: the error of their covariance, and the
/// time.
final class SampleMeasurement {

  private static final int CHECKED = 400;
  private static final int FEATURES = 5000;

  private SampleMeasurement() {}

  /// The methods: the paper's in its order, then ours.
  enum Method {
    EXACT("exact", 0, -1),
    FOURIER("Fourier features", 1, 0),
    SGPR100("SGPR 100", 2, 1),
    SGPR1000("SGPR 1,000", 3, 2),
    LOVE("LOVE", 4, 3),
    PATHWISE("pathwise", -1, -1),
    SPECTRAL("spectral", -1, -1),
    DEFAULT("default", -1, -1);

    final String title;
    final int error;
    final int speedup;

    Method(String title, int error, int speedup) {
      this.title = title;
      this.error = error;
      this.speedup = speedup;
    }

    double paperError(SampleProblem problem) {
      return error < 0 ? Double.NaN : problem.errors()[error];
    }

    double paperSpeedup(SampleProblem problem) {
      return speedup < 0 ? Double.NaN : problem.speedups()[speedup];
    }
  }

  static void run(Bench bench, SampleProblem problem, ObjectNode result, Cell.Remark remark) {
    Dataset data;
    Hyperparameters h;
    Lattice lattice;
    double[] low;
    double[] high;
    int t = bench.size().samplePoints();
    if (problem.set != null) {
      Features features = Features.of(bench, problem.set);
      Grid grid = features.grid();
      data = features.train();
      h = features.hyperparameters();
      lattice = grid;
      low = new double[2];
      high = new double[2];
      for (int a = 0; a < 2; a++) {
        double margin = 0.02 * (grid.high(a) - grid.low(a));
        low[a] = grid.low(a) + margin;
        high[a] = grid.high(a) - margin;
      }
    } else {
      Search search = problem.search == null ? Search.EGGHOLDER : problem.search;
      Searched searched = Searched.of(bench, search);
      data = searched.data();
      h = searched.hyperparameters();
      int d = search.dimensions();
      Axis[] axes = new Axis[d];
      Arrays.fill(
          axes, Axis.covering(0, 1, search == Search.EGGHOLDER ? bench.size().axis() : 100));
      lattice = search == Search.EGGHOLDER ? Grid.of(axes) : AdditiveGrid.of(axes);
      low = new double[d];
      high = new double[d];
      Arrays.fill(high, 1);
    }
    int d = data.dimensions();
    double[] points = new double[t * d];
    SplittableRandom random = new SplittableRandom(Bench.SEED);
    for (int i = 0; i < points.length; i++)
      points[i] = low[i % d] + (high[i % d] - low[i % d]) * random.nextDouble();
    result.put("n", data.size());
    result.put("points", t);
    result.put("draws", bench.size().samples());
    SampleMethods methods = new SampleMethods(lattice, data, h);
    int features = features(bench);
    Map<Method, Supplier<Conditioning>> all = new LinkedHashMap<>();
    if (data.size() <= bench.size().exactRows()) all.put(Method.EXACT, methods::exact);
    all.put(Method.FOURIER, () -> methods.fourier(features, Bench.SEED));
    all.put(Method.SGPR100, () -> methods.sgpr(100));
    if (data.size() > 100) all.put(Method.SGPR1000, () -> methods.sgpr(1000));
    all.put(Method.LOVE, () -> methods.onLattice(by(Sampling.Method.LOVE)));
    all.put(Method.PATHWISE, () -> methods.onLattice(by(Sampling.Method.PATHWISE)));
    all.put(Method.SPECTRAL, () -> methods.onLattice(by(Sampling.Method.SPECTRAL)));
    all.put(Method.DEFAULT, methods::byDefault);
    Truth truth = new Truth(data, h, Arrays.copyOf(points, checked(bench) * d));
    ObjectNode found = result.putObject("methods");
    all.forEach(
        (method, conditioning) -> {
          remark.say(method.title);
          ObjectNode node = found.putObject(method.title);
          try {
            measure(bench, conditioning, points, truth, node);
          } catch (IllegalArgumentException e) {
            node.put("refused", String.valueOf(e.getMessage()));
          }
        });
  }

  /// The number of points at which the covariance is compared.
  static int checked(Bench bench) {
    return Math.min(CHECKED, bench.size().samplePoints());
  }

  /// The number of Fourier features, at most the number of points.
  static int features(Bench bench) {
    return Math.min(FEATURES, 2 * (bench.size().samplePoints() / 2));
  }

  private static Sampling by(Sampling.Method method) {
    return Sampling.DEFAULT.withMethod(method);
  }

  private static void measure(
      Bench bench, Supplier<Conditioning> prepare, double[] points, Truth truth, ObjectNode node) {
    int t = bench.size().samplePoints();
    int count = bench.size().samples();
    double[] draws = new double[Math.multiplyExact(count, t)];
    WarmMedian clock = bench.size().clock();
    double[] first = new double[3]; // milliseconds of the three steps, cold
    long begin = System.nanoTime();
    Conditioning known = prepare.get();
    first[0] = (System.nanoTime() - begin) * 1e-6;
    begin = System.nanoTime();
    Drawing drawing = known.at(points);
    first[1] = (System.nanoTime() - begin) * 1e-6;
    begin = System.nanoTime();
    drawing.draw(count, new SplittableRandom(1), draws);
    first[2] = (System.nanoTime() - begin) * 1e-6;
    boolean slow = first[0] + first[1] + first[2] > (bench.size().full() ? 2000 : 200);
    node.put(
        "scratch_ms",
        slow
            ? first[0] + first[1] + first[2]
            : clock.milliseconds(
                () -> {
                  prepare.get().at(points).draw(count, new SplittableRandom(1), draws);
                  return draws[0];
                }));
    node.put(
        "after_ms",
        slow && first[1] + first[2] > 1000
            ? first[1] + first[2]
            : clock.milliseconds(
                () -> {
                  known.at(points).draw(count, new SplittableRandom(2), draws);
                  return draws[0];
                }));
    node.put(
        "draws_ms",
        first[2] > 1000
            ? first[2]
            : clock.milliseconds(
                () -> {
                  drawing.draw(count, new SplittableRandom(3), draws);
                  return draws[0];
                }));
    // slow draws are repeated less often
    int repeats = first[2] > 2000 ? Math.min(2, bench.size().repeats()) : bench.size().repeats();
    node.put("repeats", repeats);
    node.put("error", truth.error(known, count, repeats));
    node.put("mean_variance", truth.scale());
  }

  /// The exact covariance at some of the points.
  private static final class Truth {
    final double[] points;
    final double[] mean;
    final double[] covariance;

    Truth(Dataset data, Hyperparameters h, double[] points) {
      this.points = points;
      ExactGp exact = ExactGp.of(data, h);
      mean = exact.predict(points).means();
      covariance = exact.covariance(points, points);
    }

    double scale() {
      double sum = 0;
      for (int i = 0; i < mean.length; i++) sum += covariance[i * (mean.length + 1)];
      return sum / mean.length;
    }

    /// The mean absolute error of the elements of the draws' covariance, averaged over repeats.
    double error(Conditioning conditioning, int count, int repeats) {
      int c = mean.length;
      Drawing drawing = conditioning.at(points);
      double[] draws = new double[count * c];
      double[] sample = new double[c * c];
      double sum = 0;
      for (int r = 0; r < repeats; r++) {
        drawing.draw(count, new SplittableRandom(1000 + r), draws);
        for (int s = 0; s < count; s++) for (int i = 0; i < c; i++) draws[s * c + i] -= mean[i];
        Blas.gemm(true, false, c, c, count, 1.0 / count, draws, 0, c, draws, 0, c, 0, sample, 0, c);
        for (int i = 0; i < sample.length; i++) sum += Math.abs(sample[i] - covariance[i]);
      }
      return sum / repeats / sample.length;
    }
  }
}
