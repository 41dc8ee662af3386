package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.kernel.Kernel;
import lovelace.linear.Cholesky;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `lovelace areas` of models with a drift: every way to compute them, every kind of drift and
/// every way to name areas, beside dense universal kriging.
class AreasDriftTest {

  private static final int ROWS = 70;
  private static final double SCALE = 1.5;
  private static final double NOISE = 0.05;
  private static final double LENGTH = 2.5;

  @TempDir private static Path folder;

  /// A way to compute a model, and how far it may be from the exact one: means in standard errors,
  /// standard errors relative. What holds the rows is exact but for sites, whose precision is
  /// sparse, and neighbours, whose joint distribution is close to that of their predictions; a
  /// lattice interpolates.
  enum Way {
    SPECTRAL(Engine.SPECTRAL, "rbf", 2, true, 2e-2),
    KRYLOV(Engine.KRYLOV, "rbf", 2, true, 2e-2),
    DENSE(Engine.DENSE, "rbf", 2, true, 2e-2),
    SPARSE(Engine.SPARSE, "matern32", 2, true, 6e-2),
    SITES(Engine.SITES, "matern32", 2, false, 6e-2),
    EXACT(Engine.EXACT, "matern32", 2, false, 1e-6),
    NEIGHBOURS(Engine.NEIGHBOURS, "matern32", 2, false, 1e-2),
    MARKOV(Engine.MARKOV, "matern32", 1, true, 6e-2),
    CHAIN(Engine.CHAIN, "matern32", 1, false, 1e-6),
    SPECTRAL_LINE(Engine.SPECTRAL, "rbf", 1, true, 2e-2),
    EXACT_LINE(Engine.EXACT, "rbf", 1, false, 1e-6);

    final Engine engine;
    final String kernel;
    final int inputs;
    final boolean grid;
    final double slack;

    Way(Engine engine, String kernel, int inputs, boolean grid, double slack) {
      this.engine = engine;
      this.kernel = kernel;
      this.inputs = inputs;
      this.grid = grid;
      this.slack = slack;
    }

    Fit fit() {
      Fit fit =
          Fit.DEFAULT
              .withKernel(kernel)
              .withEngine(engine)
              .withTraining(false)
              .set("lengthscale", LENGTH)
              .set("outputscale", SCALE)
              .set("noise", NOISE);
      if (engine == Engine.NEIGHBOURS) fit = fit.withNeighbours(ROWS);
      if (!grid) return fit;
      return fit.withGrid(
          GridChoice.DEFAULT.withPoints(inputs == 1 ? 200 : this == SPARSE ? 30 : 40));
    }
  }

  /// @param covariates columns that only the mean reads
  /// @param inputs whether it is linear in the first input too
  private record Drift(int covariates, boolean inputs) {}

  private static final List<Drift> DRIFTS =
      List.of(new Drift(0, false), new Drift(1, false), new Drift(2, false), new Drift(1, true));

  private final SplittableRandom random = new SplittableRandom(17);

  /// Cells of two areas beside each other, a row each of the model's columns, and their weights.
  @SuppressWarnings("ArrayRecordComponent") // read once
  private record Cells(List<double[]> rows, double[] weights, int[] starts) {}

  private Dataset rows(Way way, Drift drift) {
    int d = way.inputs + drift.covariates;
    double[] x = random.doubles((long) ROWS * d, 0, 10).toArray();
    double[] y = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      y[i] = 2 + Math.sin(x[i * d]) + 0.2 * random.nextGaussian();
      for (int j = way.inputs; j < d; j++) y[i] += (j - 2.5) * x[i * d + j];
    }
    List<String> names =
        IntStream.range(0, d)
            .mapToObj(j -> j < way.inputs ? List.of("x", "y").get(j) : "c" + (j - way.inputs))
            .toList();
    return Dataset.of(x, names.stream().map(Column::of).toList(), y, Column.of("v"));
  }

  /// The mean over weighted cells and its standard error. With `V = K + σ²I`, `A = FᵀV⁻¹F` and `u =
  /// f − FᵀV⁻¹k` the variance is `k** − kᵀV⁻¹k + uᵀA⁻¹u`.
  private static double[] universal(
      Dataset data, Kernel kernel, int[] places, List<double[]> cells, double[] weights) {
    int n = data.size();
    int d = data.dimensions();
    int q = places.length + 1;
    double[] x = data.inputs();
    double[] v = new double[n * n];
    double[] k = new double[n];
    double[][] f = new double[q][n];
    double[] u = new double[q];
    double total = Arrays.stream(weights).sum();
    double prior = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        v[i * n + j] = kernel.value(x, i * d, x, j * d) + (i == j ? NOISE : 0);
      for (int c = 0; c < weights.length; c++)
        k[i] += weights[c] / total * kernel.value(x, i * d, cells.get(c), 0);
      f[0][i] = 1;
      for (int s = 1; s < q; s++) f[s][i] = x[i * d + places[s - 1]];
    }
    for (int c = 0; c < weights.length; c++) {
      u[0] += weights[c] / total;
      for (int s = 1; s < q; s++) u[s] += weights[c] / total * cells.get(c)[places[s - 1]];
      for (int e = 0; e < weights.length; e++)
        prior +=
            weights[c]
                / total
                * (weights[e] / total)
                * kernel.value(cells.get(c), 0, cells.get(e), 0);
    }
    Cholesky factor = Cholesky.adopt(v, n);
    double[] solvedY = solved(factor, data.target());
    double[] solvedK = solved(factor, k);
    double[] a = new double[q * q];
    double[] right = new double[q];
    for (int s = 0; s < q; s++) {
      double[] own = solved(factor, f[s]);
      for (int t = 0; t < q; t++) a[s * q + t] = dot(own, f[t]);
      right[s] = dot(f[s], solvedY);
      u[s] -= dot(f[s], solvedK);
    }
    Cholesky of = Cholesky.adopt(a, q);
    double variance = prior - dot(k, solvedK) + dot(u, solved(of, u));
    return new double[] {dot(k, solvedY) + dot(u, solved(of, right)), Math.sqrt(variance)};
  }

  private static double[] solved(Cholesky factor, double[] b) {
    double[] out = b.clone();
    factor.solve(out);
    return out;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  /// Squares of 3 by 3 cut into 100 cells; covariates are the same everywhere in one.
  private static Cells cells(int inputs, int d, double[] covariates, boolean weighted) {
    List<double[]> rows = new ArrayList<>();
    double[][] corners = {{1, 2}, {5.5, 4}};
    int side = inputs == 1 ? 1 : 10;
    for (double[] corner : corners)
      for (int i = 0; i < 10 * side; i++) {
        double[] row = new double[d];
        row[0] = corner[0] + 0.3 * (i % 10 + 0.5);
        if (inputs == 2) row[1] = corner[1] + 0.3 * (i / 10 + 0.5);
        System.arraycopy(covariates, 0, row, inputs, d - inputs);
        rows.add(row);
      }
    double[] weights = new double[rows.size()];
    for (int i = 0; i < weights.length; i++) weights[i] = weighted ? 1 + i % 5 : 1;
    return new Cells(rows, weights, new int[] {0, weights.length / 2, weights.length});
  }

  private static void compare(
      String what,
      String csv,
      Dataset data,
      Kernel kernel,
      int[] places,
      Cells cells,
      double slack) {
    List<String[]> lines = csv.lines().skip(1).map(line -> line.split(",", -1)).toList();
    assertEquals(2, lines.size(), what);
    for (int a = 0; a < 2; a++) {
      int from = cells.starts[a];
      int to = cells.starts[a + 1];
      double[] expected =
          universal(
              data,
              kernel,
              places,
              cells.rows.subList(from, to),
              Arrays.copyOfRange(cells.weights, from, to));
      String own = what + " area " + a + ": " + String.join(",", lines.get(a));
      assertEquals(expected[0], Double.parseDouble(lines.get(a)[1]), slack * expected[1], own);
      assertEquals(expected[1], Double.parseDouble(lines.get(a)[2]), slack * expected[1], own);
      assertEquals(to - from, Integer.parseInt(lines.get(a)[5]), own);
      assertEquals(0, Integer.parseInt(lines.get(a)[6]), own);
    }
  }

  private static String table(Dataset data, Cells cells) {
    StringBuilder csv = new StringBuilder("name,weight");
    data.columns().forEach(c -> csv.append(',').append(c.name()));
    csv.append('\n');
    for (int i = 0; i < cells.weights.length; i++) {
      csv.append(i < cells.starts[1] ? 'a' : 'b').append(',').append(cells.weights[i]);
      for (double value : cells.rows.get(i)) csv.append(',').append(value);
      csv.append('\n');
    }
    return csv.toString();
  }

  private static final String SQUARES =
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "a"}, "geometry": {"type": "Polygon",
         "coordinates": [[[1, 2], [4, 2], [4, 5], [1, 5], [1, 2]]]}},
        {"type": "Feature", "properties": {"name": "b"}, "geometry": {"type": "Polygon",
         "coordinates": [[[5.5, 4], [8.5, 4], [8.5, 7], [5.5, 7], [5.5, 4]]]}}]}
      """;

  @ParameterizedTest
  @EnumSource
  void areasAreUniversalKriging(Way way) throws IOException {
    Trial trial = new Trial(folder);
    trial.write("squares.geojson", SQUARES);
    for (Drift drift : DRIFTS) {
      String what = way + " " + drift + ", seed 17";
      Dataset data = rows(way, drift);
      int d = data.dimensions();
      List<String> names = data.columns().stream().map(Column::name).toList();
      Fit fit =
          way.fit()
              .withDrift(names.subList(way.inputs, d), drift.inputs ? List.of("x") : List.of());
      Model model = fit.to(data);
      assertEquals(way.grid, model.lattice().isPresent(), what);
      if (way != Way.KRYLOV) assertEquals(way.engine, model.plan().chosen(), what); // few rows
      model.save(folder.resolve("drift.lvl"));
      int[] places =
          IntStream.range(0, d).filter(j -> j >= way.inputs || (drift.inputs && j == 0)).toArray();
      Kernel kernel = model.hyperparameters().kernel();
      double[] covariates = random.doubles(d - way.inputs, -20, 30).toArray();
      for (boolean weighted : new boolean[] {false, true}) {
        Cells cells = cells(way.inputs, d, covariates, weighted);
        trial.write("cells.csv", table(data, cells));
        String line =
            "areas @drift.lvl @cells.csv --by name" + (weighted ? " --weight weight" : "");
        compare(line + " " + what, trial.ok(line), data, kernel, places, cells, way.slack);
      }
      if (way.inputs < 2) continue;
      StringBuilder line = new StringBuilder("areas @drift.lvl @squares.geojson --resolution 0.3");
      for (int j = 2; j < d; j++)
        line.append(" --at ").append(names.get(j)).append('=').append(covariates[j - 2]);
      compare(
          line + " " + what,
          trial.ok(line.toString()),
          data,
          kernel,
          places,
          cells(2, d, covariates, false),
          way.slack);
    }
  }

  /// Its grid lies over features of the coordinates, and not over the columns.
  @Test
  void areasOfLongitudesAndLatitudesHaveADriftToo() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("squares.geojson", SQUARES);
    Dataset data = rows(Way.SPECTRAL, new Drift(1, false));
    Model model =
        Way.SPECTRAL
            .fit()
            .withPlace(Place.lonLat("x", "y"))
            .set("lengthscale", 400, 400)
            .withDrift(List.of("c0"))
            .to(data);
    assertEquals(true, model.lattice().isPresent() && model.map().isPresent());
    model.save(folder.resolve("degrees.lvl"));
    Cells cells = cells(2, 3, new double[] {30}, true);
    trial.write("cells.csv", table(data, cells));
    List<String[]> lines =
        trial
            .ok("areas @degrees.lvl @cells.csv --by name --weight weight")
            .lines()
            .skip(1)
            .map(line -> line.split(",", -1))
            .toList();
    for (int a = 0; a < 2; a++) {
      double[] points =
          cells.rows.subList(cells.starts[a], cells.starts[a + 1]).stream()
              .flatMapToDouble(Arrays::stream)
              .toArray();
      double[] w = Arrays.copyOfRange(cells.weights, cells.starts[a], cells.starts[a + 1]);
      double total = Arrays.stream(w).sum();
      Prediction each = model.predict(points);
      double[] covariance = model.posterior().covariance(points, points);
      double mean = 0;
      double variance = 0;
      for (int i = 0; i < w.length; i++) {
        mean += w[i] / total * each.mean(i);
        for (int j = 0; j < w.length; j++)
          variance += w[i] / total * (w[j] / total) * covariance[i * w.length + j];
      }
      // sums of 100 values in another order
      assertEquals(mean, Double.parseDouble(lines.get(a)[1]), 1e-6 * Math.abs(mean));
      assertEquals(Math.sqrt(variance), Double.parseDouble(lines.get(a)[2]), 1e-6);
    }
  }
}
