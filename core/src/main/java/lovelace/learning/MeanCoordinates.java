package lovelace.learning;

import java.util.Arrays;
import java.util.List;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.kernel.PriorMean;
import lovelace.optimize.Optimizer.Objective;

/// The coordinates in which a search moves a linear mean: its value in the middle of the rows, and
/// its slope in each column times the spread of that column. Far from zero, the intercept and the
/// slopes change together by large amounts that cancel, and a search in those would end early.
final class MeanCoordinates {

  private final int from; // position of the intercept among the free values; the slopes follow
  private final double[] centres;
  private final double[] spreads;

  private MeanCoordinates(int from, double[] centres, double[] spreads) {
    this.from = from;
    this.centres = centres;
    this.spreads = spreads;
  }

  /// The coordinates for some rows. Other means, and means with fixed or bounded coefficients, stay
  /// in their own coordinates.
  static MeanCoordinates of(Hyperparameters form, Dataset rows) {
    int d = rows.dimensions();
    int size = form.freeSize();
    boolean linear = form.mean().kind() == PriorMean.Kind.LINEAR && form.mean().size() == d + 1;
    if (!linear || rows.size() == 0) return none(size);
    List<Parameter> all = form.parameters(); // the mean's are the last
    int left = d + 1;
    for (int p = all.size() - 1; left > 0; left -= all.get(p--).size())
      if (!isFree(all.get(p))) return none(size);
    double[] centres = new double[d];
    double[] spreads = new double[d];
    for (int c = 0; c < d; c++) {
      int column = c;
      double first = rows.inputs()[c];
      double[] x = new double[rows.size()];
      Arrays.setAll(x, i -> rows.inputs()[i * d + column] - first);
      double mean = Arrays.stream(x).average().orElse(0);
      double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).average().orElse(0);
      centres[c] = first + mean;
      spreads[c] = variance > 0 ? Math.sqrt(variance) : 1;
    }
    return new MeanCoordinates(size - d - 1, centres, spreads);
  }

  private static boolean isFree(Parameter p) {
    return !p.fixed()
        && !p.positive()
        && p.lower() == Double.NEGATIVE_INFINITY
        && p.upper() == Double.POSITIVE_INFINITY;
  }

  /// Coordinates that change nothing.
  static MeanCoordinates none(int size) {
    return new MeanCoordinates(size, new double[0], new double[0]);
  }

  /// Converts free values to the coordinates of the search.
  double[] of(double[] free) {
    double[] x = free.clone();
    for (int c = 0; c < centres.length; c++) {
      x[from] += x[from + 1 + c] * centres[c];
      x[from + 1 + c] *= spreads[c];
    }
    return x;
  }

  /// Converts coordinates of the search to free values.
  double[] free(double[] x) {
    double[] free = x.clone();
    for (int c = 0; c < centres.length; c++) {
      free[from + 1 + c] /= spreads[c];
      free[from] -= free[from + 1 + c] * centres[c];
    }
    return free;
  }

  /// Turns a function of free values into one of the coordinates of the search.
  Objective of(Objective objective) {
    return (x, gradient) -> {
      double value = objective.evaluate(free(x), gradient);
      if (gradient.length > 0)
        for (int c = 0; c < centres.length; c++)
          gradient[from + 1 + c] =
              (gradient[from + 1 + c] - centres[c] * gradient[from]) / spreads[c];
      return value;
    };
  }
}
