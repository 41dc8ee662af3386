package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.drift.DriftedPosterior;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;

/// A model's graph as onnxruntime evaluates it, held against the model itself, and beyond the grid
/// against the formula of the documentation. Python's checker, Node and a browser are asked too,
/// where the machine has them ([ElsewhereTest]).
final class Exported {

  final Model model;
  final OnnxExport options;
  final Map<String, double[]> numbers = new HashMap<>();
  boolean[] outside = new boolean[0];
  private final Map<Elsewhere.Kind, Exported> elsewhere = new EnumMap<>(Elsewhere.Kind.class);

  private Exported(Model model, OnnxExport options) {
    this.model = model;
    this.options = options;
  }

  /// Writes the graph and evaluates it at points, row-major.
  static Exported of(Model model, OnnxExport options, double[] points) throws Exception {
    Path file = Files.createTempFile("lovelace", ".onnx");
    try {
      options.write(model, file);
      if (Checker.isThere()) assertEquals(Optional.empty(), Checker.complaint(file));
      Exported all = new Exported(model, options);
      all.run(file, points);
      return all;
    } finally {
      Files.delete(file);
    }
  }

  private void run(Path file, double[] points) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    int d = model.columns().size();
    int n = points.length / d;
    Map<String, OnnxTensorLike> inputs = new HashMap<>();
    try (OrtSession session = environment.createSession(file.toString())) {
      if (options.inputs() == OnnxExport.Inputs.X) {
        double[][] x = new double[n][d];
        float[][] x32 = new float[n][d];
        for (int i = 0; i < n; i++)
          for (int j = 0; j < d; j++) {
            x[i][j] = points[i * d + j];
            x32[i][j] = (float) x[i][j];
          }
        inputs.put("x", OnnxTensor.createTensor(environment, options.float32() ? x32 : x));
      } else
        for (int j = 0; j < d; j++) {
          var column = model.columns().get(j);
          double[] x = new double[n];
          float[] x32 = new float[n];
          String[] words = new String[n];
          for (int i = 0; i < n; i++) {
            x[i] = points[i * d + j];
            x32[i] = (float) x[i];
            if (column.isText()) words[i] = x[i] < 0 ? "never seen" : column.format(x[i]);
          }
          inputs.put(
              column.name(),
              column.isText()
                  ? OnnxTensor.createTensor(environment, words)
                  : OnnxTensor.createTensor(environment, options.float32() ? x32 : x));
        }
      for (var other : Elsewhere.evaluate(file, inputs).entrySet()) {
        Exported own = new Exported(model, options);
        own.adopt(other.getValue());
        elsewhere.put(other.getKey(), own);
      }
      try (OrtSession.Result result = session.run(inputs)) {
        result.forEach(
            entry -> {
              try {
                switch (entry.getValue().getValue()) {
                  case double[] v -> numbers.put(entry.getKey(), v);
                  case float[] v -> {
                    double[] wide = new double[v.length];
                    for (int i = 0; i < v.length; i++) wide[i] = v[i];
                    numbers.put(entry.getKey(), wide);
                  }
                  case boolean[] v -> outside = v;
                  default -> throw new AssertionError(entry.getKey());
                }
              } catch (OrtException e) {
                throw new AssertionError(e);
              }
            });
      }
    } finally {
      inputs.values().forEach(OnnxTensorLike::close);
    }
  }

  private void adopt(Map<String, double[]> outputs) {
    numbers.putAll(outputs);
    double[] marks = get("outside");
    outside = new boolean[marks.length];
    for (int i = 0; i < marks.length; i++) outside[i] = marks[i] != 0;
  }

  double[] get(String name) {
    return Objects.requireNonNull(numbers.get(name), name);
  }

  /// As [#compare] where rows lie on both sides of the grid's edge.
  void requireSame(double[] points, double tolerance, String about) {
    int beyond = compare(points, tolerance, about);
    int rows = outside.length;
    assertTrue(beyond > rows / 50, about + ": " + beyond + " rows lie outside");
    assertTrue(beyond < rows - rows / 3, about + ": " + beyond + " lie outside");
  }

  /// Fails unless all outputs are those of the model, beyond the grid those of the formula, to a
  /// part of the prior's scale or of the value itself, whichever is larger. Returns how many rows
  /// lie outside.
  int compare(double[] points, double tolerance, String about) {
    Prediction want = wanted(points);
    int beyond = compare(want, tolerance, about);
    elsewhere.forEach((kind, other) -> other.compare(want, tolerance, about + ", " + kind));
    return beyond;
  }

  private int compare(Prediction want, double tolerance, String about) {
    double own = prior();
    int beyond = 0;
    for (int i = 0; i < want.size(); i++) {
      String where = about + ", row " + i;
      assertEquals(want.outside(i), outside[i], where);
      if (outside[i]) beyond++;
      double mean = want.mean(i);
      double variance = want.variance(i);
      double scale = Math.sqrt(own);
      double varianceError = tolerance * Math.max(own, variance);
      double sd = Math.sqrt(variance);
      double sdError = varianceError / Math.max(sd, Math.sqrt(varianceError));
      double meanError = tolerance * Math.max(scale, Math.abs(mean));
      assertEquals(mean, get("mean")[i], meanError, where + " mean");
      assertEquals(variance, get("variance")[i], varianceError, where + " variance");
      assertEquals(sd, get("stddev")[i], sdError, where + " stddev");
      double level = options.interval();
      double lower = want.lower(i, level);
      double upper = want.upper(i, level);
      double end = 4 * (sdError + tolerance * Math.max(scale, Math.abs(upper)));
      assertEquals(lower, get("lower")[i], end, where + " lower");
      assertEquals(upper, get("upper")[i], end, where + " upper");
    }
    return beyond;
  }

  /// k(x, x) of the process at the first grid point.
  double prior() {
    LatticePosterior lattice = model.lattice().orElseThrow();
    Kernel kernel = lattice.hyperparameters().kernel().withoutWhite();
    double[] x = new double[lattice.dimensions()];
    for (int j = 0; j < x.length; j++) x[j] = lattice.statistics().lattice().low(j);
    return kernel.variance(x, 0);
  }

  /// The expected outputs.
  Prediction wanted(double[] points) {
    double[] z = model.features(points);
    LatticePosterior lattice = model.lattice().orElseThrow();
    Lattice box = lattice.statistics().lattice();
    Kernel kernel = lattice.hyperparameters().kernel().withoutWhite();
    PriorMean prior = lattice.hyperparameters().mean();
    int d = model.columns().size();
    int n = points.length / d;
    int k = z.length / n;
    boolean[] beyond = new boolean[n];
    double[] covered = points.clone(); // the model's own answers beyond the grid take long
    int first = 0;
    while (box.outsideColumn(z, first * k) >= 0) first++;
    for (int i = 0; i < n; i++) {
      beyond[i] = box.outsideColumn(z, i * k) >= 0;
      if (beyond[i]) System.arraycopy(points, first * d, covered, i * d, d);
    }
    Prediction latent = model.posterior().predict(covered);
    double[] means = latent.means();
    double[] variances = latent.variances();
    byte[] marks = new byte[n];
    double[] ends = z.clone(); // c
    for (int i = 0; i < n * k; i++) ends[i] = nearest(box, i % k, z[i]);
    Prediction nearest = lattice.predict(ends);
    double[][] nodes = new double[0][];
    if (model.posterior() instanceof DriftedPosterior drifted) {
      nodes = new double[drifted.trend().terms().size()][];
      for (int t = 0; t < nodes.length; t++) nodes[t] = drifted.nodes(t);
    }
    for (int i = 0; i < n; i++) {
      assertTrue(!latent.outside(i));
      if (!beyond[i]) continue;
      marks[i] = Prediction.mark(true, false);
      double[] x = Arrays.copyOfRange(z, i * k, (i + 1) * k);
      double[] c = Arrays.copyOfRange(ends, i * k, (i + 1) * k);
      assertTrue(!nearest.outside(i));
      double own = kernel.variance(c, 0);
      double b = own > 0 ? kernel.value(x, 0, c, 0) / own : 0;
      means[i] = prior.at(x, 0) + b * (nearest.mean(i) - prior.at(c, 0));
      variances[i] = kernel.variance(x, 0) - b * b * (own - nearest.variance(i));
      if (model.posterior() instanceof DriftedPosterior drifted) {
        double[] row = Arrays.copyOfRange(points, i * d, (i + 1) * d);
        int q = drifted.trend().terms().size();
        double[] f = new double[q];
        drifted.trend().terms().basis(row, 0, f, 0);
        means[i] += drifted.trend().mean(f, 0);
        int[] index = new int[box.stencilSize()];
        double[] weight = new double[index.length];
        lattice.weights(c, 0, index, weight);
        for (int t = 0; t < q; t++)
          for (int s = 0; s < index.length; s++) f[t] -= b * weight[s] * nodes[t][index[s]];
        drifted.trend().whiten(f, 0);
        for (double v : f) variances[i] += v * v;
      }
    }
    Prediction all = Prediction.adopt(means, variances, marks);
    Of of = options.of(model);
    if (!model.likelihood().isGaussian()) return all.of(model.likelihood(), of, new double[0]);
    Prediction undone = all.undo(model.transform());
    return of == Of.OBSERVATION ? undone.withNoise(model.noise()) : undone;
  }

  private static double nearest(Lattice box, int column, double x) {
    boolean inside = true;
    boolean read = false;
    for (Axis axis : axes(box, column)) {
      inside &= axis.covers(x);
      read = true;
    }
    return inside || !read ? x : x > box.low(column) ? box.high(column) : box.low(column);
  }

  private static Iterable<Axis> axes(Lattice lattice, int column) {
    if (lattice instanceof Grid grid) return List.of(grid.axis(column));
    AdditiveGrid sum = (AdditiveGrid) lattice;
    var all = new ArrayList<Axis>();
    for (int c = 0; c < sum.components(); c++) {
      Grid grid = sum.component(c).grid();
      for (int a = 0; a < grid.dimensions(); a++)
        if (sum.component(c).column(a) == column) all.add(grid.axis(a));
    }
    return all;
  }

  /// Points of a box with many at places where rounding shows: in each coordinate by chance between
  /// the ends, at a grid point of an axis or a step of the last bit beside it, at an end or beside
  /// it, or up to half the width beyond.
  static double[] points(Lattice lattice, int count, SplittableRandom random) {
    int d = lattice.dimensions();
    double[] all = new double[count * d];
    for (int i = 0; i < count; i++) {
      boolean inside = random.nextInt(4) > 0;
      for (int j = 0; j < d; j++) {
        double low = lattice.low(j);
        double high = lattice.high(j);
        if (!Double.isFinite(low)) low = high = 0; // no component reads it
        Axis axis = axes(lattice, j).iterator().next();
        double x =
            switch (random.nextInt(inside ? 4 : 6)) {
              case 0, 1 -> low + (high - low) * random.nextDouble();
              case 2 -> axis.at(1 + random.nextInt(axis.points() - 2));
              case 3 -> random.nextBoolean() ? low : high;
              default -> low - 0.5 * (high - low) + 2 * (high - low) * random.nextDouble();
            };
        x =
            switch (random.nextInt(3)) {
              case 0 -> Math.nextUp(x);
              case 1 -> Math.nextDown(x);
              default -> x;
            };
        all[i * d + j] = x;
      }
    }
    return all;
  }

  static double[] points(Model model, int count, SplittableRandom random) {
    return points(model.lattice().orElseThrow().statistics().lattice(), count, random);
  }

  static long size(Model model, OnnxExport options) throws IOException {
    Path file = Files.createTempFile("lovelace", ".onnx");
    try {
      return options.write(model, file).bytes();
    } finally {
      Files.delete(file);
    }
  }
}
