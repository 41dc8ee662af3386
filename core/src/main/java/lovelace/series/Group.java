package lovelace.series;

import java.util.List;
import lovelace.linear.Blas;

/// Histories of one length. They share every factor, so their columns (a history under a warp) are
/// whitened together.
final class Group {

  final List<History> histories;

  /// The places of the histories in the caller's list.
  final int[] places;

  final int length;
  final int columns;

  /// The history and the warp of each column.
  final int[] history;

  final int[] warp;

  private final double[] values; // length × columns

  private Group(List<History> histories, int[] places, int length, int[] history, int[] warp) {
    this.histories = histories;
    this.places = places;
    this.length = length;
    this.history = history;
    this.warp = warp;
    columns = history.length;
    values = new double[Math.multiplyExact(length, columns)];
    for (int c = 0; c < columns; c++) {
      double[] z = histories.get(history[c]).warped[warp[c]];
      for (int t = 0; t < length; t++) values[t * columns + c] = z[t];
    }
  }

  /// The columns of some histories for which a filter holds.
  static Group of(List<History> histories, int[] places, Filter wanted) {
    int length = histories.get(0).size();
    int warps = histories.get(0).warps.size();
    int[] history = new int[histories.size() * warps];
    int[] warp = new int[history.length];
    int columns = 0;
    for (int i = 0; i < histories.size(); i++)
      for (int w = 0; w < warps; w++)
        if (histories.get(i).takes(w) && wanted.takes(i, w)) {
          history[columns] = i;
          warp[columns++] = w;
        }
    return new Group(
        histories,
        places,
        length,
        java.util.Arrays.copyOf(history, columns),
        java.util.Arrays.copyOf(warp, columns));
  }

  /// Whether a column is wanted.
  interface Filter {
    boolean takes(int history, int warp);
  }

  /// The group's columns, whitened by a factor.
  Whitened whitened(Factor factor) {
    double[] v = values.clone();
    factor.whiten(length, columns, v);
    return new Whitened(this, factor, v);
  }

  /// Whitened columns, with what follows from the values before an origin.
  static final class Whitened {
    private final Group group;
    private final Factor factor;
    private final double[] v;

    private Whitened(Group group, Factor factor, double[] v) {
      this.group = group;
      this.factor = factor;
      this.v = v;
    }

    /// The estimates of all columns from the first n values.
    Origin at(int n) {
      return at(new int[] {n})[0];
    }

    /// The estimates from the first values, for several numbers of them, in one pass: with
    /// `e = v − o·level`, each value adds `e² q/(q + o²)` to the sum of squares and moves the level
    /// by `e o/(q + o²)`, where q is the sum of o² before (recursive least squares).
    ///
    /// @param numbers ascending
    Origin[] at(int... numbers) {
      int columns = group.columns;
      double[] ones = factor.ones;
      double squares = 0;
      double[] level = new double[columns];
      double[] sum = new double[columns];
      Origin[] origins = new Origin[numbers.length];
      int t = 0;
      for (int i = 0; i < numbers.length; i++) {
        for (; t < numbers[i]; t++) {
          double o = ones[t];
          double next = squares + o * o;
          add(t * columns, o, o / next, squares / next, level, sum);
          squares = next;
        }
        double[] least = sum.clone();
        for (int c = 0; c < columns; c++) {
          History h = group.histories.get(group.history[c]);
          least[c] = Math.max(sum[c], h.leastSquares(group.warp[c], numbers[i]));
        }
        origins[i] = new Origin(numbers[i], squares, level.clone(), least);
      }
      return origins;
    }

    private void add(int at, double o, double gain, double rest, double[] level, double[] sum) {
      for (int c = 0; c < level.length; c++) {
        double e = v[at + c] - o * level[c];
        level[c] += gain * e;
        sum[c] += rest * e * e;
      }
    }

    /// The estimates at an origin. The scale is integrated out: forecasts are Student's t with n −
    /// 1 degrees of freedom.
    final class Origin {
      final int n;
      final double squares;
      final double[] level;
      final double[] sum;

      private Origin(int n, double squares, double[] level, double[] sum) {
        this.n = n;
        this.squares = squares;
        this.level = level;
        this.sum = sum;
      }

      /// The log evidence of a column up to a constant of n, with the Jacobian of its warp.
      double evidence(int c) {
        return -factor.logDiagonal[n]
            - 0.5 * Math.log(squares)
            - 0.5 * (n - 1) * Math.log(sum[c])
            + group.histories.get(group.history[c]).logSlope[group.warp[c]][n];
      }

      /// The sum that a unit of the level adds to each of the next steps.
      double[] rest(int steps) {
        double[] rest = new double[steps];
        for (int k = 0; k < steps; k++)
          rest[k] = 1 - Blas.dot(n, factor.l, (n + k) * factor.size, factor.ones, 0);
        return rest;
      }

      /// How far the next values are from their forecasts. The values are those of the history, so
      /// only the block of L between them is needed: the error of step k is
      /// `Σ L[n+k, n+j] (v[n+j] − o[n+j]·level)` over j ≤ k.
      Errors errors(int steps) {
        int columns = group.columns;
        int size = factor.size;
        double[] errors = new double[steps * columns];
        Blas.gemm(
            false,
            false,
            steps,
            columns,
            steps,
            1,
            factor.l,
            n * size + n,
            size,
            v,
            n * columns,
            columns,
            0,
            errors,
            0,
            columns);
        double[] variance = new double[steps];
        for (int k = 0; k < steps; k++) {
          int row = (n + k) * size + n;
          double rest = Blas.dot(k + 1, factor.l, row, factor.ones, n);
          variance[k] = Blas.dot(k + 1, factor.l, row, factor.l, row) + rest * rest / squares;
          for (int c = 0; c < columns; c++) errors[k * columns + c] -= rest * level[c];
        }
        return new Errors(errors, variance);
      }

      /// The forecasts of the next steps.
      Ahead ahead(int steps) {
        int columns = group.columns;
        int size = factor.size;
        double[] place = new double[steps * columns];
        Blas.gemm(
            false, false, steps, columns, n, 1, factor.l, n * size, size, v, 0, columns, 0, place,
            0, columns);
        double[] variance = new double[steps];
        double[] rests = rest(steps);
        for (int k = 0; k < steps; k++) {
          int row = (n + k) * size;
          double rest = rests[k];
          variance[k] =
              Blas.dot(k + 1, factor.l, row + n, factor.l, row + n) + rest * rest / squares;
          for (int c = 0; c < columns; c++) place[k * columns + c] += rest * level[c];
        }
        return new Ahead(place, variance);
      }
    }

    /// Forecasts by step and column, on the centred scale of each column's warp.
    ///
    /// @param place by step, then column
    /// @param variance by step, in units of the mean square `sum / (n − 1)`
    @SuppressWarnings("ArrayRecordComponent")
    record Ahead(double[] place, double[] variance) {}

    /// Errors of forecasts by step and column.
    ///
    /// @param error by step, then column
    /// @param variance by step, in units of the mean square `sum / (n − 1)`
    @SuppressWarnings("ArrayRecordComponent")
    record Errors(double[] error, double[] variance) {}
  }
}
