package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.linear.Blas;
import org.jspecify.annotations.Nullable;

/// Histories of one length. They share every factor, so their columns (a history under a warp) are
/// whitened together, and with them the columns that some of them know.
final class Group {

  final List<History> histories;

  /// The places of the histories in the caller's list.
  final int[] places;

  final int length;
  final int columns;

  /// The history and the warp of each column.
  final int[] history;

  final int[] warp;

  /// The histories that share columns that are known, or have none, and the block of each column.
  final List<Block> blocks;

  final int[] block;

  private final int width; // of a row: values, then the blocks' own columns
  private final double[] values; // length × width

  /// Columns of a group whose histories share what is known.
  ///
  /// @param covariates null if nothing is
  /// @param from the first column
  /// @param to the column after the last one
  /// @param at where the columns that are known lie in a row, after one for the level
  record Block(@Nullable Covariates covariates, int from, int to, int at) {

    /// The number of coefficients, with the level.
    int size() {
      return covariates == null ? 1 : 1 + covariates.size();
    }

    double at(int coefficient, int row) {
      return coefficient == 0 || covariates == null ? 1 : covariates.at(coefficient - 1, row);
    }
  }

  private Group(
      List<History> histories, int[] places, List<Block> blocks, int[] history, int[] warp) {
    this.histories = histories;
    this.places = places;
    this.length = histories.getFirst().size();
    this.history = history;
    this.warp = warp;
    this.blocks = blocks;
    columns = history.length;
    block = new int[columns];
    int end = columns;
    for (int b = 0; b < blocks.size(); b++) {
      Block each = blocks.get(b);
      Arrays.fill(block, each.from, each.to, b);
      if (each.covariates != null) end = each.at + each.size();
    }
    width = end;
    values = new double[Math.multiplyExact(length, width)];
    for (int c = 0; c < columns; c++) {
      double[] z = histories.get(history[c]).warped[warp[c]];
      for (int t = 0; t < length; t++) values[t * width + c] = z[t];
    }
    for (Block each : blocks)
      if (each.covariates != null)
        for (int t = 0; t < length; t++)
          for (int j = 0; j < each.size(); j++) values[t * width + each.at + j] = each.at(j, t);
  }

  /// The columns of some histories for which a filter holds, without what they know: the factor has
  /// it.
  static Group of(List<History> histories, int[] places, Filter wanted) {
    return of(histories, places, wanted, history -> Optional.empty());
  }

  /// The columns of some histories for which a filter holds, with what they know.
  static Group knowing(List<History> histories, int[] places, Filter wanted) {
    return of(histories, places, wanted, history -> Optional.ofNullable(history.covariates));
  }

  private static Group of(
      List<History> histories,
      int[] places,
      Filter wanted,
      Function<History, Optional<Covariates>> known) {
    Map<Optional<Covariates>, List<Integer>> alike =
        IntStream.range(0, histories.size())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    i -> known.apply(histories.get(i)), LinkedHashMap::new, Collectors.toList()));
    int warps = histories.get(0).warps.size();
    int[] history = new int[histories.size() * warps];
    int[] warp = new int[history.length];
    List<Block> blocks = new ArrayList<>();
    int columns = 0;
    int at = 0;
    for (Map.Entry<Optional<Covariates>, List<Integer>> each : alike.entrySet()) {
      int from = columns;
      for (int i : each.getValue())
        for (int w = 0; w < warps; w++)
          if (histories.get(i).takes(w) && wanted.takes(i, w)) {
            history[columns] = i;
            warp[columns++] = w;
          }
      if (columns == from) continue;
      blocks.add(new Block(each.getKey().orElse(null), from, columns, at));
      at += each.getKey().isPresent() ? blocks.getLast().size() : 0;
    }
    int before = columns;
    return new Group(
        histories,
        places,
        blocks.stream().map(b -> new Block(b.covariates, b.from, b.to, b.at + before)).toList(),
        Arrays.copyOf(history, columns),
        Arrays.copyOf(warp, columns));
  }

  /// Whether a column is wanted.
  interface Filter {
    boolean takes(int history, int warp);
  }

  /// The group's columns, whitened by a factor.
  Whitened whitened(Factor factor) {
    double[] v = values.clone();
    factor.whiten(length, width, v);
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

    /// The estimates from the first values, for several numbers of them, in one pass: with `e = v −
    /// o·level`, each value adds `e² q/(q + o²)` to the sum of squares and moves the level by `e
    /// o/(q + o²)`, where q is the sum of o² before (recursive least squares).
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
        int n = numbers[i];
        for (; t < n; t++) {
          double o = ones[t];
          double next = squares + o * o;
          for (Block block : group.blocks)
            if (block.covariates == null)
              add(t * group.width, block, o, o / next, squares / next, level, sum);
          squares = next;
        }
        origins[i] = origin(n, squares, level.clone(), sum.clone());
      }
      return origins;
    }

    /// Adds a value to the levels and the sums of squares of the columns of a block.
    private void add(
        int at, Block block, double o, double gain, double rest, double[] level, double[] sum) {
      for (int c = block.from; c < block.to; c++) {
        double e = v[at + c] - o * level[c];
        level[c] += gain * e;
        sum[c] += rest * e * e;
      }
    }

    /// An origin, with the effects of what is known.
    private Origin origin(int n, double squares, double[] level, double[] sum) {
      KnownEffects[] effects = new KnownEffects[group.blocks.size()];
      for (int b = 0; b < effects.length; b++) {
        Block block = group.blocks.get(b);
        if (block.covariates == null) continue;
        effects[b] = new KnownEffects(n, v, group.width, block, factor.prior);
        effects[b].squares(n, v, group.width, block, sum);
      }
      for (int c = 0; c < sum.length; c++) {
        History h = group.histories.get(group.history[c]);
        sum[c] = Math.max(sum[c], h.leastSquares(group.warp[c], n));
      }
      return new Origin(n, squares, level, sum, effects);
    }

    /// The estimates at an origin. The scale is integrated out: forecasts are Student's t with n −
    /// 1 degrees of freedom.
    final class Origin {
      final int n;
      final double squares;
      final double[] level; // of histories that know nothing
      final double[] sum;
      private final KnownEffects[] effects; // by block; null where nothing is known

      private Origin(int n, double squares, double[] level, double[] sum, KnownEffects... effects) {
        this.n = n;
        this.squares = squares;
        this.level = level;
        this.sum = sum;
        this.effects = effects;
      }

      /// The log evidence of a column up to a constant of n, with the Jacobian of its warp.
      double evidence(int c) {
        KnownEffects known = effects[group.block[c]];
        return -factor.logDiagonal[n]
            - 0.5 * (known == null ? Math.log(squares) : known.logDeterminant)
            - 0.5 * (n - 1) * Math.log(sum[c])
            + group.histories.get(group.history[c]).logSlope[group.warp[c]][n];
      }

      /// The sum that a unit of the level adds to each of the next steps, if nothing is known.
      double[] rest(int steps) {
        double[] rest = new double[steps];
        for (int k = 0; k < steps; k++)
          rest[k] = 1 - Blas.dot(n, factor.l, (n + k) * factor.size, factor.ones, 0);
        return rest;
      }

      /// How far the next values are from their forecasts. The values are those of the history, so
      /// only the block of L between them is needed: the error of step k is `Σ L[n+k, n+j] (v[n+j]
      /// − o[n+j]·level)` over j ≤ k.
      Errors errors(int steps) {
        int columns = group.columns;
        int width = group.width;
        int size = factor.size;
        int first = n * size + n;
        double[] all = new double[steps * width];
        Blas.gemm(
            false, false, steps, width, steps, 1, factor.l, first, size, v, n * width, width, 0,
            all, 0, width);
        double[] error = new double[steps * columns];
        double[] variance = new double[steps * effects.length];
        for (int k = 0; k < steps; k++) {
          int row = first + k * size;
          double own = Blas.dot(k + 1, factor.l, row, factor.l, row);
          double rest = Blas.dot(k + 1, factor.l, row, factor.ones, n);
          for (int b = 0; b < effects.length; b++) {
            Block block = group.blocks.get(b);
            KnownEffects known = effects[b];
            if (known == null) {
              variance[k * effects.length + b] = own + rest * rest / squares;
              for (int c = block.from; c < block.to; c++)
                error[k * columns + c] = all[k * width + c] - rest * level[c];
            } else {
              int at = k * width + block.at;
              double[] next = Arrays.copyOfRange(all, at, at + known.size);
              for (int c = block.from; c < block.to; c++)
                error[k * columns + c] = all[k * width + c] - known.place(next, c - block.from);
              variance[k * effects.length + b] = own + known.variance(next);
            }
          }
        }
        return new Errors(error, variance, group.block, effects.length);
      }

      /// The forecasts of the next steps.
      Ahead ahead(int steps) {
        int columns = group.columns;
        int width = group.width;
        int size = factor.size;
        double[] all = new double[steps * width];
        Blas.gemm(
            false, false, steps, width, n, 1, factor.l, n * size, size, v, 0, width, 0, all, 0,
            width);
        double[] place = all;
        if (width > columns) {
          place = new double[steps * columns];
          for (int k = 0; k < steps; k++)
            System.arraycopy(all, k * width, place, k * columns, columns);
        }
        int blocks = effects.length;
        double[] variance = new double[steps * blocks];
        double[] rests = rest(steps);
        for (int k = 0; k < steps; k++) {
          int row = (n + k) * size;
          double own = Blas.dot(k + 1, factor.l, row + n, factor.l, row + n);
          for (int b = 0; b < blocks; b++) {
            Block block = group.blocks.get(b);
            KnownEffects known = effects[b];
            if (known == null) {
              double rest = rests[k];
              variance[k * blocks + b] = own + rest * rest / squares;
              for (int c = block.from; c < block.to; c++) place[k * columns + c] += rest * level[c];
              continue;
            }
            double[] next = new double[known.size];
            for (int j = 0; j < next.length; j++)
              next[j] = block.at(j, n + k) - all[k * width + block.at + j];
            for (int c = block.from; c < block.to; c++)
              place[k * columns + c] += known.place(next, c - block.from);
            variance[k * blocks + b] = own + known.variance(next);
          }
        }
        return new Ahead(steps, place, variance, group.block, blocks);
      }
    }

    /// Forecasts by step and column, on the centred scale of each column's warp.
    ///
    /// @param place by step, then column
    /// @param variance by step and block, in units of the mean square `sum / (n − 1)`
    /// @param block of each column
    @SuppressWarnings("ArrayRecordComponent")
    record Ahead(int steps, double[] place, double[] variance, int[] block, int blocks) {

      /// The variance at a step of a column.
      double variance(int step, int column) {
        return variance[step * blocks + block[column]];
      }
    }

    /// Errors of forecasts by step and column.
    ///
    /// @param error by step, then column
    /// @param variance by step and block, in units of the mean square `sum / (n − 1)`
    /// @param block of each column
    @SuppressWarnings("ArrayRecordComponent")
    record Errors(double[] error, double[] variance, int[] block, int blocks) {

      /// The variance at a step of a column.
      double variance(int step, int column) {
        return variance[step * blocks + block[column]];
      }
    }
  }
}
