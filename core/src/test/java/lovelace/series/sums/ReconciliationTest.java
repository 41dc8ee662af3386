package lovelace.series.sums;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReconciliationTest {

  /// `x − Cov(x, a − Sx) Var(a − Sx)⁻¹ (a − Sx)` with all matrices written out.
  private static double[] dense(double[] base, int[][] members, double[][] w) {
    int m = members.length;
    int n = base.length - m;
    double[][] u = new double[m][m + n]; // a − Sx = u·base
    for (int a = 0; a < m; a++) {
      u[a][a] = 1;
      for (int i : members[a]) u[a][m + i] -= 1;
    }
    double[][] cov = new double[m + n][m];
    for (int i = 0; i < m + n; i++)
      for (int a = 0; a < m; a++) for (int j = 0; j < m + n; j++) cov[i][a] += w[i][j] * u[a][j];
    double[][] v = new double[m][m + 1];
    for (int a = 0; a < m; a++) {
      for (int b = 0; b < m; b++) for (int j = 0; j < m + n; j++) v[a][b] += u[a][j] * cov[j][b];
      for (int j = 0; j < m + n; j++) v[a][m] += u[a][j] * base[j];
    }
    for (int p = 0; p < m; p++) // Gauss and Jordan
    for (int a = 0; a < m; a++) {
        if (a == p) continue;
        double f = v[a][p] / v[p][p];
        for (int b = p; b <= m; b++) v[a][b] -= f * v[p][b];
      }
    double[] x = Arrays.copyOfRange(base, m, m + n);
    for (int i = 0; i < n; i++)
      for (int a = 0; a < m; a++) x[i] -= cov[m + i][a] * v[a][m] / v[a][a];
    return x;
  }

  @Test
  void drawsMoveAsTheFormulaSays() {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int n = 3 + random.nextInt(4);
      int[] everyone = new int[n];
      Arrays.setAll(everyone, i -> i);
      int[][] members = {everyone, {0, 1}, {n - 1}};
      int m = members.length;
      double[][] innovations = new double[m + n][30];
      for (double[] row : innovations)
        for (int t = 0; t < row.length; t++)
          row[t] = random.nextInt(9) == 0 ? Double.NaN : random.nextGaussian();
      Dependence dependence = new Dependence(innovations);
      double lambda = dependence.shrinkage();
      double[] width = new double[m + n];
      for (int i = 0; i < width.length; i++) width[i] = 0.5 + random.nextDouble();
      double[][] w = new double[m + n][m + n];
      for (int i = 0; i < m + n; i++)
        for (int j = 0; j < m + n; j++) {
          for (int t = 0; t < dependence.times(); t++)
            w[i][j] +=
                (1 - lambda)
                    * width[i]
                    * width[j]
                    * dependence.known(i, t)
                    * dependence.known(j, t)
                    / dependence.times();
          if (i == j) w[i][i] += lambda * width[i] * width[i];
        }
      int count = 5;
      float[][] draws = new float[m + n][count];
      for (float[] row : draws)
        for (int d = 0; d < count; d++) row[d] = (float) (10 * random.nextGaussian());
      double[][] expected = new double[count][];
      for (int d = 0; d < count; d++) {
        double[] base = new double[m + n];
        for (int i = 0; i < base.length; i++) base[i] = draws[i][d];
        expected[d] = dense(base, members, w);
      }
      double[] least = new double[n];
      Arrays.fill(least, Double.NEGATIVE_INFINITY);
      SplittableRandom[] streams = new SplittableRandom[n];
      Arrays.setAll(streams, i -> new SplittableRandom(i));
      new Reconciliation(List.of(members), dependence, n)
          .apply(width, draws, least, new boolean[n], streams);
      for (int d = 0; d < count; d++)
        for (int i = 0; i < n; i++)
          assertEquals(expected[d][i], draws[m + i][d], 1e-4, "seed " + seed + ", float");
    }
  }

  @Test
  void shrinkageIsSmallWhereSeriesMoveTogetherAndLargeWhereNot() {
    SplittableRandom random = new SplittableRandom(5);
    double[][] together = new double[10][60];
    double[][] apart = new double[10][60];
    for (int t = 0; t < 60; t++) {
      double common = random.nextGaussian();
      for (int i = 0; i < 10; i++) {
        together[i][t] = 0.9 * common + 0.4 * random.nextGaussian();
        apart[i][t] = random.nextGaussian();
      }
    }
    double small = new Dependence(together).shrinkage();
    double large = new Dependence(apart).shrinkage();
    assertTrue(small < 0.1, () -> "together " + small);
    assertTrue(large > 0.6, () -> "apart " + large);
    assertEquals(1, new Dependence(new double[3][5]).shrinkage(), "too few times");
  }

  @Test
  void innovationsOfARandomWalkAreItsSteps() {
    SplittableRandom random = new SplittableRandom(6);
    double[] walk = new double[200];
    for (int t = 1; t < walk.length; t++) walk[t] = walk[t - 1] + random.nextGaussian();
    walk[50] = Double.NaN;
    double[] found = Innovations.of(walk, 1);
    double squares = 0;
    for (int t = 1; t < walk.length; t++) {
      if (t == 50) {
        assertTrue(Double.isNaN(found[t]));
        continue;
      }
      squares += found[t] * found[t] / 198;
    }
    assertEquals(1, squares, 1e-9);
    double unit = (walk[11] - walk[10]) / found[11];
    assertEquals(walk[100] - walk[99], unit * found[100], 1e-9, "a level of 1 fits a walk best");
  }
}
