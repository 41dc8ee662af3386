package lovelace.series.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Tests of one series for outliers and shifts beside those that were found, which are columns with
/// flat coefficients.
public final class ShockSearch {

  /// The variance of a coefficient that is as good as flat, in units of the noise.
  private static final double FLAT = 1e10;

  /// One outlier, or a shift from a time on.
  ///
  /// @param size by how much values change, on the scale of the series
  /// @param error its standard error
  /// @param t the size over the error
  public record Shock(int time, boolean shift, double size, double error, double t) {}

  private final Chain chain;
  private final Times times;
  private final double[] rows;
  private final int columns;
  private final boolean[] there;
  private final double[] priors;
  private final int y;
  private final double least;

  ShockSearch(
      Chain chain,
      Times times,
      double[] rows,
      int columns,
      boolean[] there,
      double[] priors,
      int y,
      double least) {
    this.chain = chain;
    this.times = times;
    this.rows = rows;
    this.columns = columns;
    this.there = there;
    this.priors = priors;
    this.y = y;
    this.least = least;
  }

  /// The tests beside some shocks.
  public LongTests tests(List<Shock> found) {
    int width = priors.length + found.size() + 2;
    double[] wide = wide(found);
    return LongTests.of(
        chain, times, wide, width, there, regression(wide, width, found.size()), width - 1);
  }

  /// The sum of squares that is left beside some shocks.
  public double squares(List<Shock> found) {
    return regression(wide(found), priors.length + found.size() + 2, found.size()).squares[0];
  }

  /// All shocks beside each other.
  public List<Shock> joint(List<Shock> found) {
    int k = priors.length;
    int width = k + found.size() + 2;
    Regression all = regression(wide(found), width, found.size());
    double unit = all.squares[0] / (all.seen - 1 - found.size());
    List<Shock> joint = new ArrayList<>();
    for (int f = 0; f < found.size(); f++) {
      double[] r = new double[width - 1];
      r[k + f] = 1;
      double size = all.coefficient(k + f, 0);
      double error = Math.sqrt(unit * all.variances(1, r, width - 1)[0]);
      Shock old = found.get(f);
      joint.add(new Shock(old.time, old.shift, size, error, size / error));
    }
    return joint;
  }

  /// The columns, those of the shocks, ones, and the series.
  private double[] wide(List<Shock> found) {
    int k = priors.length;
    int q = found.size();
    int width = k + q + 2;
    double[] wide = new double[times.size() * width];
    for (int t = 0; t < times.size(); t++) {
      System.arraycopy(rows, t * columns, wide, t * width, k);
      for (int f = 0; f < q; f++) {
        Shock shock = found.get(f);
        boolean on = shock.shift ? t >= shock.time : t == shock.time;
        wide[t * width + k + f] = on ? 1 : 0;
      }
      wide[t * width + k + q] = 1;
      wide[t * width + k + q + 1] = rows[t * columns + y];
    }
    return wide;
  }

  private Regression regression(double[] wide, int width, int more) {
    int k = priors.length;
    double[] prior = Arrays.copyOf(priors, k + more);
    Arrays.fill(prior, k, k + more, FLAT);
    int n = times.size();
    return Regression.of(Filter.run(chain, times, wide, width, there, n).getFirst(), prior, least);
  }
}
