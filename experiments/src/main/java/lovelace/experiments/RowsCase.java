package lovelace.experiments;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.plan.Plan;

/// Rows drawn from a process of variance 1 in the unit box, and its parameters.
///
/// @param kernel a family of kernels with one lengthscale, such as `matern32`
/// @param noise its variance
public record RowsCase(
    RowPlaces places, String kernel, double lengthscale, double noise, int rows, long seed) {

  /// The number of cells along each side of the table on which the function is drawn.
  private static final int CELLS = 1024;

  private static final int CANDIDATES = 3000;

  private static final List<String> KERNELS = List.of("matern12", "matern32", "matern52", "rbf");

  /// The fewest rows. It is the usual number of neighbours.
  private static final int LEAST = 400;

  private static final int MOST = 20_000;

  /// The parameters, with the lengthscale multiplied by a factor.
  Hyperparameters hyperparameters(double factor) {
    return parameters(places.dimensions(), factor);
  }

  private Hyperparameters parameters(int dimensions, double factor) {
    return Hyperparameters.of(
        Kernel.parse(text(factor)).bind(dimensions), noise, PriorMean.constant(0));
  }

  private String text(double factor) {
    return "1.0*" + kernel + "(lengthscale=" + factor * lengthscale + ")";
  }

  /// A fit that keeps the given parameters.
  Fit fit() {
    return Fit.DEFAULT.withKernel(text(1)).withMean("zero").set("noise", noise).withTraining(false);
  }

  /// The engine that `fit` plans for the rows when it knows the parameters.
  String planned(Dataset data) {
    Plan[] first = new Plan[1];
    try {
      fit()
          .withListener(
              plan -> {
                first[0] = plan;
                throw new CancellationException();
              })
          .to(data);
    } catch (CancellationException e) {
      // the plan suffices, so the fit is cancelled
    }
    Plan plan = first[0];
    return plan == null ? "" : plan.chosen() + " on " + plan.on();
  }

  /// The rows. On a line, they are of a function of the plane along a line in it.
  Dataset data() {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = places.draw(rows, random.split());
    int d = places.dimensions();
    DrawnRows function = DrawnRows.of(parameters(2, 1).kernel(), 1, 0, CELLS, seed);
    double[] y = new double[rows];
    double[] at = {0, 0.5};
    for (int i = 0; i < rows; i++) {
      System.arraycopy(x, i * d, at, 0, d);
      y[i] = function.value(at, 0) + Math.sqrt(noise) * random.nextGaussian();
    }
    return Dataset.of(x, d, y);
  }

  /// Places close to rows, at most half of the usual distance away along each axis.
  double[] among(Dataset data, int count) {
    int d = places.dimensions();
    SplittableRandom random = new SplittableRandom(seed + 1);
    double reach = Math.pow(rows, -1.0 / d);
    double[] x = new double[count * d];
    for (int i = 0; i < count; i++) {
      int row = random.nextInt(rows);
      for (int a = 0; a < d; a++)
        x[i * d + a] =
            Math.clamp(data.inputs()[row * d + a] + reach * (random.nextDouble() - 0.5), 0, 1);
    }
    return x;
  }

  /// The places of the box that are farthest from rows, out of 3,000 candidates. The farthest comes
  /// first.
  double[] gaps(Dataset data, int count) {
    int d = places.dimensions();
    double[] x = new SplittableRandom(seed + 2).doubles((long) CANDIDATES * d).toArray();
    double[] far = new double[CANDIDATES];
    for (int i = 0; i < CANDIDATES; i++) far[i] = nearest(data, x, i * d);
    int[] order =
        IntStream.range(0, CANDIDATES)
            .boxed()
            .sorted((i, j) -> Double.compare(far[j], far[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] found = new double[count * d];
    for (int i = 0; i < count; i++) System.arraycopy(x, order[i] * d, found, i * d, d);
    return found;
  }

  /// Places up to 0.15 beyond the box.
  double[] outside(int count) {
    int d = places.dimensions();
    SplittableRandom random = new SplittableRandom(seed + 3);
    double[] x = new double[count * d];
    for (int i = 0; i < count; ) {
      boolean beyond = false;
      for (int a = 0; a < d; a++) {
        double u = -0.15 + 1.3 * random.nextDouble();
        x[i * d + a] = u;
        beyond |= u < -0.01 || u > 1.01;
      }
      if (beyond) i++;
    }
    return x;
  }

  /// Places in and around the widest gap: a box whose half side is twice the distance of its centre
  /// from the next row.
  double[] across(Dataset data, int count) {
    int d = places.dimensions();
    double[] centre = gaps(data, 1);
    double half = 2 * nearest(data, centre, 0);
    SplittableRandom random = new SplittableRandom(seed + 4);
    double[] x = new double[count * d];
    for (int i = 0; i < x.length; i++) x[i] = centre[i % d] + half * (2 * random.nextDouble() - 1);
    return x;
  }

  /// Areas of 64 points around each centre: boxes with sides of 0.1 and 0.25 in turn.
  double[] areas(double[] centres) {
    int d = places.dimensions();
    int side = d == 1 ? 64 : 8;
    int count = centres.length / d;
    double[] x = new double[count * 64 * d];
    for (int area = 0; area < count; area++) {
      double width = area % 2 == 0 ? 0.1 : 0.25;
      for (int i = 0; i < 64; i++)
        for (int a = 0, rest = i; a < d; a++, rest /= side)
          x[(area * 64 + i) * d + a] =
              centres[area * d + a] + width * ((rest % side + 0.5) / side - 0.5);
    }
    return x;
  }

  /// Four windows of a map of 100,000 places.
  double[] map() {
    int d = places.dimensions();
    if (d == 1) return IntStream.range(0, 4096).mapToDouble(i -> 0.25 + i * 1e-5).toArray();
    double step = 1 / Math.sqrt(100_000);
    double[] x = new double[2 * 4096];
    for (int i = 0; i < 4096; i++) {
      int window = i / 1024;
      x[2 * i] = 0.2 + 0.5 * (window % 2) + step * (i % 32);
      x[2 * i + 1] = 0.2 + 0.5 * (window >> 1) + step * (i % 1024 >> 5);
    }
    return x;
  }

  private static double nearest(Dataset data, double[] x, int xo) {
    int d = data.dimensions();
    double[] rows = data.inputs();
    double least = Double.POSITIVE_INFINITY;
    for (int r = 0; r < rows.length; r += d) {
      double sum = 0;
      for (int a = 0; a < d; a++) sum += (rows[r + a] - x[xo + a]) * (rows[r + a] - x[xo + a]);
      least = Math.min(least, sum);
    }
    return Math.sqrt(least);
  }

  /// Reads a case from the text that [#toString] writes: `gaps/matern32/0.3/1/3000`.
  public static RowsCase parse(String text) {
    String[] parts = text.strip().split("/", -1);
    if (parts.length == 5)
      try {
        RowPlaces places = RowPlaces.valueOf(parts[0].toUpperCase(Locale.ROOT));
        double lengthscale = Double.parseDouble(parts[2]);
        double noise = Double.parseDouble(parts[3]);
        int rows = Integer.parseInt(parts[4]);
        if (KERNELS.contains(parts[1])
            && lengthscale >= 1e-3
            && lengthscale <= 100
            && noise >= 0
            && noise <= 1e6
            && rows >= LEAST
            && rows <= MOST) return new RowsCase(places, parts[1], lengthscale, noise, rows, 1);
      } catch (IllegalArgumentException e) {
        // reported below
      }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "a case is PLACES/KERNEL/LENGTHSCALE/NOISE/ROWS, such as gaps/matern32/0.3/1/3000, with"
                + " places %s, a kernel %s, and %,d to %,d rows; got '%s'",
            Arrays.toString(RowPlaces.values()).replaceAll("[\\[\\]]", ""),
            String.join(", ", KERNELS),
            LEAST,
            MOST,
            text));
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s/%s/%s/%s/%d", places, kernel, lengthscale, noise, rows);
  }
}
