package lovelace.series.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.linear.Blas;

/// The parts of one series under one state space, given all its values: the level with its slope,
/// each season, deviations, effects of columns in groups, and all of them together.
///
/// With β the coefficients and the level, a part is `ŝ(y) + (x − ŝ(X))ᵀβ`: what the smoother makes
/// of the values and of the columns, with the columns x that belong to the part. Its variance is
/// that of the states with β known, and that of β besides.
@SuppressWarnings("ArrayRecordComponent")
public record LongParts(double[][] place, double[][] spread) {

  /// How many rows have their variances computed at once.
  private static final int ROWS = 256;

  /// The blocks and columns of one part.
  private record Term(int[] states, boolean[] columns) {}

  /// The parts at all times, those of the horizon among them: the trend, each season, deviations,
  /// each group of columns, and the sum.
  ///
  /// @param groups the number of the group of each known column
  static LongParts of(
      Chain chain,
      Design design,
      Times times,
      double[] rows,
      int columns,
      boolean[] there,
      Regression regression,
      int series,
      int seasons,
      int... groups) {
    int k = design.size();
    List<Term> terms = terms(chain, design, seasons, groups);
    Sums sums = new Sums(terms, times.size(), rows, columns, regression, k + 1 + series);
    int[][] states = terms.stream().map(Term::states).toArray(int[][]::new);
    Smoother.run(chain, times, rows, columns, there, states, sums);
    sums.flush();
    return new LongParts(sums.place, sums.spread);
  }

  private static List<Term> terms(Chain chain, Design design, int seasons, int... groups) {
    int k = design.size();
    List<Term> terms = new ArrayList<>();
    terms.add(new Term(states(chain, Chain.LEVEL), columns(design, Design.SLOPE, true)));
    for (int s = 0; s < seasons; s++)
      terms.add(
          new Term(states(chain, Chain.SEASON + s), columns(design, Design.SEASON + s, false)));
    terms.add(new Term(states(chain, Chain.DEVIATION), new boolean[k + 1]));
    int count = Arrays.stream(groups).max().orElse(-1) + 1;
    for (int g = 0; g < count; g++) {
      boolean[] own = new boolean[k + 1];
      for (int c = 0; c < k; c++)
        own[c] =
            design.column(c).term() == Design.COVARIATES
                && groups[design.column(c).harmonic()] == g;
      terms.add(new Term(new int[0], own));
    }
    boolean[] all = new boolean[k + 1];
    Arrays.fill(all, true);
    terms.add(new Term(chain.at, all));
    return terms;
  }

  private static int[] states(Chain chain, int term) {
    return IntStream.range(0, chain.at.length)
        .filter(b -> chain.term[b] == term)
        .map(b -> chain.at[b])
        .toArray();
  }

  private static boolean[] columns(Design design, int term, boolean level) {
    boolean[] own = new boolean[design.size() + 1];
    for (int c = 0; c < design.size(); c++) own[c] = design.column(c).term() == term;
    own[design.size()] = level;
    return own;
  }

  /// Collects the parts, last time first.
  private static final class Sums implements Smoother.Visitor {
    private final List<Term> terms;
    private final double[] rows;
    private final int columns;
    private final Regression regression;
    private final int y;
    private final double[] coefficients;
    private final double[][] place;
    private final double[][] spread;
    private final double[] waiting;
    private final int[] part = new int[ROWS];
    private final int[] time = new int[ROWS];
    private int count;

    Sums(List<Term> terms, int n, double[] rows, int columns, Regression regression, int y) {
      this.terms = terms;
      this.rows = rows;
      this.columns = columns;
      this.regression = regression;
      this.y = y;
      coefficients = regression.coefficients(0);
      place = new double[terms.size()][n];
      spread = new double[terms.size()][n];
      waiting = new double[ROWS * coefficients.length];
    }

    @Override
    public void at(
        int t,
        double[] u,
        double weight,
        double[] r,
        double[] big,
        double[][] smooth,
        double[] variance) {
      int m = coefficients.length;
      for (int q = 0; q < terms.size(); q++) {
        int row = count * m;
        boolean[] own = terms.get(q).columns;
        for (int c = 0; c < m; c++)
          waiting[row + c] = (own[c] ? rows[t * columns + c] : 0) - smooth[q][c];
        place[q][t] = smooth[q][y] + Blas.dot(m, waiting, row, coefficients, 0);
        spread[q][t] = variance[q];
        part[count] = q;
        time[count++] = t;
        if (count == ROWS) flush();
      }
    }

    void flush() {
      double[] more = regression.variances(count, waiting, coefficients.length);
      for (int i = 0; i < count; i++) {
        double all = Math.max(spread[part[i]][time[i]] + more[i], 0);
        spread[part[i]][time[i]] = Math.sqrt(regression.scale(0) * all);
      }
      count = 0;
    }
  }
}
