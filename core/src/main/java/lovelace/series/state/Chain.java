package lovelace.series.state;

import java.util.ArrayList;
import java.util.List;
import lovelace.series.Season;
import lovelace.series.Shape;
import lovelace.series.Slope;

/// The states of a shape that change from time to time. What stays, such as a season that does not
/// change, is in the columns of a [Design].
final class Chain {

  /// The terms of the states: the level with its slope, deviations, and seasons from 2 on.
  static final int LEVEL = 0, DEVIATION = 1, SEASON = 2;

  final List<Block> blocks;

  /// The term of each block.
  final int[] term;

  /// The first state of each block.
  final int[] at;

  final int size;
  final boolean whole;

  Chain(List<Block> blocks, List<Integer> terms, boolean whole) {
    this.blocks = List.copyOf(blocks);
    this.whole = whole;
    term = terms.stream().mapToInt(Integer::intValue).toArray();
    at = new int[term.length];
    int next = 0;
    for (int b = 0; b < at.length; b++) {
      at[b] = next;
      next += blocks.get(b).size();
    }
    size = next;
  }

  /// The states of a shape.
  ///
  /// @param whole whether the times are steps
  static Chain of(Shape shape, boolean whole) {
    List<Block> blocks = new ArrayList<>();
    List<Integer> terms = new ArrayList<>();
    double unit = 1 + shape.level();
    Slope slope = shape.slope();
    if (slope.change() > 0) {
      blocks.add(
          new Block.Sloping(
              shape.level(), slope.damping(), unit * slope.change(), unit * slope.first()));
      terms.add(LEVEL);
    } else if (shape.level() > 0) {
      blocks.add(new Block.Walk(shape.level()));
      terms.add(LEVEL);
    }
    if (shape.deviation() > 0) {
      blocks.add(new Block.Fading(unit * shape.deviation(), 1 / shape.memory()));
      terms.add(DEVIATION);
    }
    for (int s = 0; s < shape.seasons().size(); s++) {
      Season season = shape.seasons().get(s);
      if (season.decay() == 0 && season.change() == 0) continue;
      double[] w = Harmonics.of(season, whole);
      for (int j = 0; j < w.length; j++) {
        if (w[j] == 0) continue;
        double size = unit * season.size() * w[j];
        double angle = 2 * Math.PI * j / season.period();
        blocks.add(
            season.decay() > 0
                ? new Block.Turning(angle, size, 1 / (season.decay() * season.period()), 0)
                : new Block.Turning(angle, 0, 0, size * season.change() / season.period()));
        terms.add(SEASON + s);
      }
    }
    return new Chain(blocks, terms, whole);
  }

  /// The same with one more state, a level that stays: smoothers test shifts by it.
  Chain withShift() {
    List<Block> more = new ArrayList<>(blocks);
    more.add(new Block.Walk(0));
    List<Integer> terms = new ArrayList<>();
    for (int each : term) terms.add(each);
    terms.add(LEVEL);
    return new Chain(more, terms, whole);
  }

  /// The covariance of the states at time 0.
  double[] first() {
    double[] p = new double[size * size];
    double[] own = new double[3];
    for (int b = 0; b < at.length; b++) {
      blocks.get(b).first(whole, own);
      add(b, own, p);
    }
    return p;
  }

  /// Adds the covariance of a block's states to that of all.
  void add(int b, double[] own, double[] p) {
    int i = at[b];
    p[i * size + i] += own[0];
    if (blocks.get(b).size() == 1) return;
    p[i * size + i + 1] += own[1];
    p[(i + 1) * size + i] += own[1];
    p[(i + 1) * size + i + 1] += own[2];
  }

  /// The transition over a gap.
  Step over(double gap) {
    double[][] phi = new double[at.length][4];
    double[][] q = new double[at.length][3];
    for (int b = 0; b < at.length; b++) blocks.get(b).over(gap, whole, phi[b], q[b]);
    return new Step(this, phi, q);
  }

  /// A transition: Φ and Q by block.
  @SuppressWarnings("ArrayRecordComponent")
  record Step(Chain chain, double[][] phi, double[][] q) {

    /// `A ← Φ A` for rows of states.
    void move(int columns, double[] a) {
      for (int b = 0; b < phi.length; b++) {
        double[] f = phi[b];
        int i = chain.at[b] * columns;
        if (chain.blocks.get(b).size() == 1) {
          if (f[0] != 1) for (int c = 0; c < columns; c++) a[i + c] *= f[0];
          continue;
        }
        int j = i + columns;
        for (int c = 0; c < columns; c++) {
          double x = a[i + c];
          double y = a[j + c];
          a[i + c] = f[0] * x + f[1] * y;
          a[j + c] = f[2] * x + f[3] * y;
        }
      }
    }

    /// `A ← Φᵀ A` for rows of states.
    void back(int columns, double[] a) {
      for (int b = 0; b < phi.length; b++) {
        double[] f = phi[b];
        int i = chain.at[b] * columns;
        if (chain.blocks.get(b).size() == 1) {
          if (f[0] != 1) for (int c = 0; c < columns; c++) a[i + c] *= f[0];
          continue;
        }
        int j = i + columns;
        for (int c = 0; c < columns; c++) {
          double x = a[i + c];
          double y = a[j + c];
          a[i + c] = f[0] * x + f[2] * y;
          a[j + c] = f[1] * x + f[3] * y;
        }
      }
    }

    /// `N ← Φᵀ N Φ`.
    void surround(double[] big) {
      int d = chain.size;
      back(d, big);
      for (int i = 0; i < d; i++)
        for (int j = 0; j < i; j++) {
          double swap = big[i * d + j];
          big[i * d + j] = big[j * d + i];
          big[j * d + i] = swap;
        }
      back(d, big);
    }

    /// `P ← Φ P Φᵀ + Q`.
    void spread(double[] p) {
      int d = chain.size;
      move(d, p);
      for (int b = 0; b < phi.length; b++) {
        double[] f = phi[b];
        int i = chain.at[b];
        boolean one = chain.blocks.get(b).size() == 1;
        if (one && f[0] == 1) continue;
        for (int r = 0; r < d; r++) {
          double x = p[r * d + i];
          if (one) {
            p[r * d + i] = f[0] * x;
            continue;
          }
          double y = p[r * d + i + 1];
          p[r * d + i] = f[0] * x + f[1] * y;
          p[r * d + i + 1] = f[2] * x + f[3] * y;
        }
      }
      for (int b = 0; b < q.length; b++) chain.add(b, q[b], p);
    }
  }
}
