package lovelace;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.kernel.Hyperparameters;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.Options;
import lovelace.source.Source;

/// Rows, and a fit that makes a small model of them.
///
/// @param name the way, and what else is asked of it
/// @param fit with parameters as given; it learns nothing
/// @param free the same fit with no parameter given
/// @param rows all rows; the first three quarters are learned, the others come later
/// @param map from the columns to the features of the process, where one is given
record SmallCase(String name, Fit fit, Fit free, Dataset rows, Optional<FeatureMap> map) {

  /// The number of points that it predicts.
  static final int POINTS = 12;

  /// A search of few steps.
  static final Options.Learning FEW =
      new Options.Learning(Lbfgs.DEFAULT.withMaxIterations(3), 1, 1, Progress.NONE);

  static SmallCase of(String name, Fit fit, Fit free, Dataset rows) {
    return new SmallCase(name, fit, free, rows, Optional.empty());
  }

  /// Other values of all parameters that may move.
  static Hyperparameters other(Hyperparameters h) {
    double[] values = h.values();
    boolean[] free = h.freeMask();
    for (int i = 0; i < values.length; i++) if (free[i]) values[i] *= 1.15;
    return h.with(values);
  }

  /// The model of some rows by a fit.
  Model model(Fit by, Dataset of) throws IOException {
    return map.isPresent() ? by.to(Source.of(of), map.get(), List.of()) : by.to(of);
  }

  /// The model of the first rows.
  Model model() throws IOException {
    return model(fit, first());
  }

  private int firstRows() {
    return rows.size() * 3 / 4;
  }

  Dataset first() {
    return rows.rows(0, firstRows());
  }

  Dataset rest() {
    return rows.rows(firstRows(), rows.size());
  }

  /// Points between the rows, in the columns of the table; the last one is far from all rows.
  double[] points() {
    int d = rows.dimensions();
    double[] points = new double[POINTS * d];
    for (int p = 0; p < POINTS; p++)
      for (int j = 0; j < d; j++) {
        double here = rows.inputs()[p * d + j];
        double there = rows.inputs()[(p + 7) * d + j];
        boolean between = !rows.columns().get(j).isText();
        points[p * d + j] = between ? here + 0.4 * (there - here) : here;
        if (between && p == POINTS - 1) points[p * d + j] += 0.3 * Math.abs(here);
      }
    return points;
  }

  /// The points without the columns that a model left out.
  double[] points(Model model) {
    double[] points = points();
    return model.leftOut().isEmpty() ? points : model.points(points);
  }

  /// The first points of some.
  static double[] few(double[] points, int dimensions, int count) {
    return Arrays.copyOf(points, count * dimensions);
  }
}
