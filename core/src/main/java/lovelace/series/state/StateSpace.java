package lovelace.series.state;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.series.Covariates;
import lovelace.series.Shape;
import org.jspecify.annotations.Nullable;

/// A series as a linear Gaussian state space: a shape of the library with covariates, over whole
/// steps or any times, with gaps. The scale of the series is integrated out, and its level is flat.
///
/// It is the same process as the covariance of the shape, so evidence, forecasts and paths are the
/// same. Time grows with the number of values, not with its cube.
public final class StateSpace {

  private final Chain chain;
  private final Design design;
  private final Times times;
  private final int n;
  private final double[] rows;
  private final boolean[] there;
  private final double least;
  private final int seasons;

  private StateSpace(
      Chain chain, Design design, Times times, int n, double[] values, double least, int seasons) {
    this.seasons = seasons;
    this.chain = chain;
    this.design = design;
    this.times = times;
    this.n = n;
    this.least = least;
    there = new boolean[times.size()];
    int columns = design.size() + 2;
    rows = new double[times.size() * columns];
    for (int t = 0; t < times.size(); t++) {
      design.row(t, times.at(t), rows, t * columns);
      rows[t * columns + columns - 2] = 1;
      there[t] = t < n && !Double.isNaN(values[t]);
      if (there[t]) rows[t * columns + columns - 1] = values[t];
    }
  }

  /// A state space.
  ///
  /// @param times of the values and of the horizon after them
  /// @param values by time, NaN in gaps
  /// @param least the smallest sum of squares
  public static StateSpace of(
      Shape shape, @Nullable Covariates covariates, Times times, double[] values, double least) {
    return new StateSpace(
        Chain.of(shape, times.whole()),
        Design.of(shape, times.whole(), covariates),
        times,
        values.length,
        values,
        least,
        shape.seasons().size());
  }

  /// The estimates and the forecasts from the values before each of some places.
  ///
  /// @param places ascending, after at least two values
  /// @param steps how many of the times after each place are forecast
  public List<Origin> origins(int steps, int... places) {
    return Filter.run(chain, times, rows, design.size() + 2, there, places).stream()
        .map(snapshot -> new Origin(snapshot, Math.min(steps, times.size() - snapshot.place())))
        .toList();
  }

  /// The forecast from all values.
  public Origin last() {
    return origins(times.size() - n, n).getFirst();
  }

  private Regression regression() {
    return Regression.of(
        Filter.run(chain, times, rows, design.size() + 2, there, n).getFirst(),
        design.priors(),
        least);
  }

  /// The parts of the values and of the horizon given all values: the trend, each season,
  /// deviations, each group of columns, and the sum.
  ///
  /// @param groups the number of the group of each column
  public LongParts parts(int... groups) {
    return LongParts.of(
        chain, design, times, rows, design.size() + 2, there, regression(), 0, seasons, groups);
  }

  /// Tests for outliers and shifts at every time.
  public LongTests tests() {
    int columns = design.size() + 2;
    return LongTests.of(chain, times, rows, columns, there, regression(), columns - 1);
  }

  /// Forecasts of every value from those before it.
  public OneAhead oneAhead() {
    int columns = design.size() + 2;
    return OneAhead.of(chain, times, rows, columns, there, design.priors(), n, columns - 1, least);
  }

  /// The facts that the values before a place tell.
  public final class Origin {
    private final Filter.Snapshot snapshot;
    private final Regression regression;
    private final Ahead ahead;

    private Origin(Filter.Snapshot snapshot, int steps) {
      this.snapshot = snapshot;
      regression = Regression.of(snapshot, design.priors(), least);
      int from = snapshot.place();
      int columns = design.size() + 2;
      double[] gaps =
          IntStream.range(from, from + steps)
              .mapToDouble(t -> times.at(t) - times.at(t - 1))
              .toArray();
      ahead =
          Ahead.of(
              chain,
              snapshot,
              regression,
              1,
              gaps,
              Arrays.copyOfRange(rows, from * columns, (from + steps) * columns));
    }

    /// The number of values.
    public int seen() {
      return snapshot.seen();
    }

    /// The log evidence up to a constant of the number of values.
    public double evidence() {
      return regression.evidence(0);
    }

    /// The sum of squares that is left.
    public double squares() {
      return regression.squares[0];
    }

    /// The places of the forecast.
    public double[] places() {
      return ahead.place.clone();
    }

    /// The variances of the forecast, in units of `squares / (n − 1)`.
    public double[] variances() {
      return ahead.variance.clone();
    }

    /// A joint path over the horizon.
    public double[] path(SplittableRandom random) {
      return ahead.path(0, random);
    }
  }
}
