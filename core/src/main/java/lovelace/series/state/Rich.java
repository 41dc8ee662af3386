package lovelace.series.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.linear.Blas;
import lovelace.optimize.Lbfgs;
import lovelace.series.Covariates;
import org.jspecify.annotations.Nullable;

/// The columns of a long series, in groups whose prior variances are learned: a slope, the
/// harmonics of each season, and covariates.
///
/// The harmonics of a season have variances `size · j^{−p}` divided by their sum. A group has the
/// logarithm of its size as a parameter, and a season also p.
final class Rich {

  /// The most harmonics of a season, and of one that is far longer than the one before.
  private static final int HARMONICS = 60, LONG_HARMONICS = 30;

  /// How many times longer is far longer.
  private static final double FAR = 20;

  private static final double SLOPE = 0.3, SEASON = 10, COVARIATES = 1;

  /// Standard deviations of the priors of log sizes and of p, and the mean of p.
  private static final double SIZE_WIDTH = 3, POWER = 2, POWER_WIDTH = 1;

  final Design design;
  private final int parameters;
  private final double span;

  /// The group of each column, numbered by its first parameter.
  private final int[] group;

  private Rich(Design design, int parameters, double span, int[] group) {
    this.design = design;
    this.parameters = parameters;
    this.span = span;
    this.group = group;
  }

  /// The columns for some seasons.
  ///
  /// @param periods ascending, in steps
  /// @param span the time from the first to the last value
  static Rich of(double[] periods, double span, boolean whole, @Nullable Covariates covariates) {
    List<Design.Column> columns = new ArrayList<>();
    columns.add(Design.slope(1, 1));
    for (int s = 0; s < periods.length; s++) {
      boolean far = s > 0 && periods[s] > FAR * periods[s - 1];
      int most = (int) Math.min(far ? LONG_HARMONICS : HARMONICS, Math.floor(periods[s] / 2));
      for (int j = 1; j <= most; j++)
        if (isNew(j / periods[s], span, columns))
          Design.add(Design.SEASON + s, j, periods[s], 1, whole, columns);
    }
    if (covariates != null) Design.add(covariates, 1, columns);
    int[] group = new int[columns.size()];
    for (int c = 0; c < group.length; c++) {
      int term = columns.get(c).term();
      group[c] =
          term == Design.SLOPE
              ? 0
              : term == Design.COVARIATES ? 1 + 2 * periods.length : 1 + 2 * (term - Design.SEASON);
    }
    int parameters = 1 + 2 * periods.length + (covariates == null ? 0 : 1);
    return new Rich(Design.of(columns, covariates), parameters, Math.max(span, 1), group);
  }

  /// Whether no harmonic of a shorter season has a frequency, as far as the history can tell.
  private static boolean isNew(double frequency, double span, List<Design.Column> columns) {
    for (Design.Column column : columns)
      if (column.term() >= Design.SEASON
          && Math.abs(column.harmonic() / column.period() - frequency) * span < 0.25) return false;
    return true;
  }

  /// The parameters at which a search starts, which are the centres of their priors.
  double[] start() {
    double[] x = new double[parameters];
    x[0] = Math.log(SLOPE);
    for (int c = 0; c < group.length; c++) {
      int term = design.column(c).term();
      if (term >= Design.SEASON) {
        x[group[c]] = Math.log(SEASON);
        x[group[c] + 1] = POWER;
      } else if (term == Design.COVARIATES) x[group[c]] = Math.log(COVARIATES);
    }
    return x;
  }

  /// The prior variances of the columns.
  double[] priors(double[] x) {
    double[] all = new double[group.length];
    double[] sums = new double[parameters];
    for (int c = 0; c < all.length; c++) {
      all[c] = raw(c, x);
      sums[group[c]] += all[c];
    }
    for (int c = 0; c < all.length; c++) {
      int term = design.column(c).term();
      double size = Math.exp(x[group[c]]);
      if (term == Design.SLOPE) all[c] = size / (span * span);
      else if (term == Design.COVARIATES) all[c] = size;
      else all[c] *= size / (0.5 * sums[group[c]]);
    }
    return all;
  }

  /// The share of a column in its season before it is divided by their sum.
  private double raw(int c, double[] x) {
    Design.Column column = design.column(c);
    if (column.term() < Design.SEASON) return 1;
    return Math.pow(Math.abs(column.harmonic()), -x[group[c] + 1]);
  }

  /// The parameters under which the values of one series are likeliest.
  ///
  /// @param steps at most as many steps of the search
  double[] best(Filter.Snapshot snapshot, int series, double[] least, double[] from, int steps) {
    double[] lower = new double[parameters];
    double[] upper = new double[parameters];
    double[] centre = start();
    for (int i = 0; i < parameters; i++) {
      boolean power = isPower(i);
      lower[i] = power ? 0 : centre[i] - 12;
      upper[i] = power ? 6 : centre[i] + 16;
    }
    return Lbfgs.DEFAULT
        .withMaxIterations(steps)
        .withMaxEvaluations(2 * steps + 2)
        .withRelativeTolerance(1e-7)
        .minimize((x, gradient) -> loss(snapshot, series, least, x, gradient), from, lower, upper)
        .x();
  }

  private boolean isPower(int i) {
    return i > 0 && i % 2 == 0;
  }

  /// Minus the log evidence of one series with the priors of the parameters, and its gradient.
  double loss(Filter.Snapshot snapshot, int series, double[] least, double[] x, double[] gradient) {
    Regression regression =
        Regression.of(only(snapshot, series, least.length), priors(x), least[series]);
    double[] slopes = regression.slopes(0);
    double[] logs = new double[parameters]; // the mean of log j under the shares of a season
    double[] sums = new double[parameters];
    for (int c = 0; c < group.length; c++) {
      double raw = raw(c, x);
      sums[group[c]] += raw;
      logs[group[c]] += raw * logHarmonic(c);
    }
    Arrays.fill(gradient, 0);
    for (int c = 0; c < group.length; c++) {
      gradient[group[c]] -= slopes[c];
      if (design.column(c).term() >= Design.SEASON)
        gradient[group[c] + 1] -= slopes[c] * (logs[group[c]] / sums[group[c]] - logHarmonic(c));
    }
    double loss = -regression.evidence(0);
    double[] centre = start();
    for (int i = 0; i < parameters; i++) {
      double width = isPower(i) ? POWER_WIDTH : SIZE_WIDTH;
      double d = (x[i] - centre[i]) / width;
      loss += 0.5 * d * d;
      gradient[i] += d / width;
    }
    return loss;
  }

  private double logHarmonic(int c) {
    Design.Column column = design.column(c);
    return column.term() < Design.SEASON ? 0 : Math.log(Math.abs(column.harmonic()));
  }

  /// A snapshot with one of its series.
  static Filter.Snapshot only(Filter.Snapshot snapshot, int series, int count) {
    if (count == 1) return snapshot;
    double[] gram = snapshot.gram();
    int old = (int) Math.rint(Math.sqrt(gram.length));
    int m = old - count;
    double[] less = new double[(m + 1) * (m + 1)];
    for (int i = 0; i < m; i++) System.arraycopy(gram, i * old, less, i * (m + 1), i + 1);
    System.arraycopy(gram, (m + series) * old, less, m * (m + 1), m);
    less[m * (m + 1) + m] = gram[(m + series) * old + m + series];
    int d = snapshot.states().length / old;
    double[] states = new double[d * (m + 1)];
    for (int i = 0; i < d; i++) {
      System.arraycopy(snapshot.states(), i * old, states, i * (m + 1), m);
      states[i * (m + 1) + m] = snapshot.states()[i * old + m + series];
    }
    return new Filter.Snapshot(
        snapshot.place(),
        snapshot.seen(),
        less,
        snapshot.logVariance(),
        states,
        snapshot.covariance());
  }

  /// The sum of the columns and the level of a regression at each of some rows.
  static double[] effects(double[] rows, int width, int count, double[] coefficients) {
    double[] all = new double[count];
    for (int t = 0; t < count; t++)
      all[t] = Blas.dot(coefficients.length, rows, t * width, coefficients, 0);
    return all;
  }
}
