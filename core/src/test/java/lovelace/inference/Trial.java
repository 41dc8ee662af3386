package lovelace.inference;

import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.statistics.GridStatistics;

/// A random small model: kernel, grid, noise from 1e-8 to 1, few or many data, empty cells,
/// duplicates. Everything follows from the seed.
public final class Trial {

  public final Grid grid;
  public final Hyperparameters h;
  public final double[] x;
  public final double[] y;
  public final double[] at;
  public final LatticeProblem problem;
  private final String text;

  public Trial(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int d = 1 + random.nextInt(2);
    grid = Interpolated.cube(d, d == 1 ? 6 + random.nextInt(18) : 5 + random.nextInt(2));
    double lengthscale = Math.pow(10, -1 + 1.3 * random.nextDouble());
    Kernel kernel =
        switch (random.nextInt(6)) {
          case 0, 1 -> Kernel.rbf(lengthscale);
          case 2 -> Kernel.matern12(lengthscale);
          case 3 -> Kernel.matern32(lengthscale);
          case 4 -> Kernel.matern52(lengthscale);
          default -> Kernel.rbf(lengthscale).plus(Kernel.linear(0.5));
        };
    double scale = Math.pow(10, -2 + 4 * random.nextDouble());
    double noise = Math.pow(10, -8 * random.nextDouble());
    int n = new int[] {1, 2, 3, 5, 12, 40, 300, 3000}[random.nextInt(8)];
    String style = new String[] {"everywhere", "in a corner", "at few places"}[random.nextInt(3)];
    x = new double[n * d];
    int places = 1 + random.nextInt(4);
    double[] place = Interpolated.uniform(random, places * d, -1, 1);
    for (int i = 0; i < n; i++) {
      int own = random.nextInt(places);
      for (int a = 0; a < d; a++)
        x[i * d + a] =
            switch (style) {
              case "everywhere" -> random.nextDouble(-1, 1);
              case "in a corner" -> random.nextDouble(0.5, 1);
              default -> place[own * d + a];
            };
    }
    y = Interpolated.normals(random, n);
    for (int i = 0; i < n; i++) y[i] = 2 + Math.sin(3 * x[i * d]) + Math.sqrt(noise) * y[i];
    at = Interpolated.uniform(random, 6 * d, -1, 1);
    System.arraycopy(x, 0, at, 0, d); // one where the data are
    h = Hyperparameters.of(kernel.times(scale).attach(d), noise, PriorMean.constant(1.5));
    problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    text =
        String.format(
            Locale.ROOT,
            "seed %d: %s, %s, noise %.1e, %d data %s",
            seed,
            h.kernel(),
            grid,
            noise,
            n,
            style);
  }

  public Interpolated truth() {
    return Interpolated.of(
        grid,
        Interpolated.kernelMatrix(grid, h.kernel()),
        x,
        Interpolated.ones(y.length),
        h.noise());
  }

  @Override
  public String toString() {
    return text;
  }
}
