package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.series.Anomalies.Anomaly;
import lovelace.series.Anomalies.Kind;
import org.junit.jupiter.api.Test;

/// Tests of anomalies against generalised least squares with whole matrices, and by simulation.
class AuxiliaryTest {

  private static final Warp PLAIN = new Warp.Power(1);

  private static Library library(int seasons) {
    return Library.of(seasons == 0 ? new double[0] : new double[] {seasons}, List.of(PLAIN));
  }

  private static double[] only(Library library, int... points) {
    double[] shares = new double[library.size()];
    for (int point : points) shares[point] = 1. / points.length;
    return shares;
  }

  /// The t-value of the last column of X in a regression with covariance K; its scale is that of
  /// the rest.
  private static double t(double[][] k, int[] seen, double[] z, List<double[]> columns) {
    int n = seen.length;
    int p = columns.size();
    double[][] a = new double[n][n];
    double[][] b = new double[n][p + 1];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) a[i][j] = k[seen[i]][seen[j]];
      for (int c = 0; c < p; c++) b[i][c] = columns.get(c)[i];
      b[i][p] = z[i];
    }
    Oracle.solve(a, b);
    double[][] gram = new double[p][p];
    double[][] right = new double[p][2];
    right[p - 1][1] = 1;
    double squares = 0;
    for (int i = 0; i < n; i++) squares += z[i] * b[i][p];
    for (int c = 0; c < p; c++)
      for (int i = 0; i < n; i++) {
        for (int d = 0; d < p; d++) gram[c][d] += columns.get(c)[i] * b[i][d];
        right[c][0] += columns.get(c)[i] * b[i][p];
      }
    double[] along = new double[p];
    for (int c = 0; c < p; c++) along[c] = right[c][0];
    Oracle.solve(gram, right);
    for (int c = 0; c < p; c++) squares -= along[c] * right[c][0];
    return right[p - 1][0] / Math.sqrt(right[p - 1][1] * squares / (n - p));
  }

  @Test
  void everyTestIsThatOfARegression() {
    for (long seed = 0; seed < 8; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Library library = library(4);
      int n = random.nextInt(20, 40);
      double[] y = Oracle.walk(n, random);
      for (int t = 1; t < n - 1; t++) if (random.nextInt(8) == 0) y[t] = Double.NaN;
      History history = History.of(y, library.warps());
      int point = random.nextInt(library.size());
      List<PointFit> points =
          PointFit.of(library, history, only(library, point), Auxiliary.points(0), null);
      Auxiliary search = new Auxiliary(library, history, points);
      int[] seen = history.observed;
      List<Pattern> all = Pattern.all(seen, 4);
      assertEquals(
          3, all.stream().map(Pattern::kind).distinct().count(), "outliers, shifts, seasons");
      List<Pattern> found = new ArrayList<>();
      for (int count = random.nextInt(3); count > 0; count--)
        found.add(all.get(random.nextInt(all.size())));
      found = found.stream().distinct().toList();
      double[] t = search.tests(found);
      double[][] k = Oracle.covariance(library.shape(point), n);
      double[] z = IntStream.of(seen).mapToDouble(s -> y[s] / history.scale).toArray();
      for (int j = 0; j < t.length; j++) {
        if (found.contains(all.get(j))) continue;
        List<double[]> columns = new ArrayList<>();
        double[] ones = new double[seen.length];
        Arrays.fill(ones, 1);
        columns.add(ones);
        for (Pattern x : found) columns.add(IntStream.of(seen).mapToDouble(x::at).toArray());
        columns.add(IntStream.of(seen).mapToDouble(all.get(j)::at).toArray());
        if (t[j] != 0) // 0 where the found patterns hold it already
        assertEquals(t(k, seen, z, columns), t[j], 1e-6 * (1 + Math.abs(t[j])), "seed " + seed);
      }
    }
  }

  private static List<Anomaly> find(Library library, double[] y, double[] shares, double rate) {
    History history = History.of(y, library.warps());
    return Auxiliary.find(
        library,
        history,
        0,
        PointFit.of(library, history, shares, Auxiliary.points(0), null),
        rate);
  }

  /// Bonferroni is an upper bound. Tests of neighbours depend on each other, so fewer are flagged.
  @Test
  void atMostTheRateOfCleanSeriesIsFlagged() {
    for (int seasons : new int[] {0, 4}) {
      Library library = library(seasons);
      SplittableRandom random = new SplittableRandom(11 + seasons);
      int flagged = 0;
      int series = 400;
      for (int i = 0; i < series; i++) {
        int point = random.nextInt(library.size());
        double[] y = Simulated.path(library.shape(point), 48, random);
        if (!find(library, y, only(library, point), 0.2).isEmpty()) flagged++;
      }
      double share = flagged / (double) series;
      assertTrue(share < 0.2 + 3 * Math.sqrt(0.2 * 0.8 / series), "share " + share);
      assertTrue(share > 0.08, "share " + share);
    }
  }

  /// Noise of 1 around a level: an outlier of 8, a shift of 6 and a place of the season that rises
  /// by 6.
  @Test
  void whatWasPlantedIsFoundWhereItIs() {
    Library library = library(4);
    int point = 0;
    while (library.shape(point).level() != 0.05
        || !library.shape(point).slope().equals(Slope.NONE)
        || library.shape(point).seasons().stream().noneMatch(s -> s.size() == .5)) point++;
    int right = 0;
    int within = 0;
    int cases = 60;
    for (long seed = 0; seed < cases; seed++) {
      SplittableRandom random = new SplittableRandom(500 + seed);
      Kind kind = List.of(Kind.OUTLIER, Kind.SHIFT, Kind.SEASON).get((int) (seed % 3));
      int step = random.nextInt(16, 44);
      Pattern pattern = new Pattern(kind, step, step, kind == Kind.SEASON ? 4 : 0);
      double size = kind == Kind.OUTLIER ? 8 : 6;
      double[] y = new double[60];
      for (int t = 0; t < y.length; t++) y[t] = 100 + random.nextGaussian() + size * pattern.at(t);
      for (Anomaly each : find(library, y, only(library, point), 0.05)) {
        if (each.kind() != kind || each.step() != step) continue;
        right++;
        assertEquals(size, each.size(), 4, "seed " + seed);
        if (each.low() <= size && size <= each.high()) within++;
      }
    }
    assertTrue(right >= 0.85 * cases, right + " of " + cases);
    assertTrue(within >= 0.85 * right, within + " of " + right);
  }

  @Test
  void constantAndShortSeriesHaveNone() {
    Library library = library(0);
    double[] shares = only(library, 3, 20);
    assertEquals(List.of(), find(library, new double[30], shares, 0.05));
    double[] same = new double[30];
    Arrays.fill(same, 7);
    assertEquals(List.of(), find(library, same, shares, 0.05));
    assertEquals(List.of(), find(library, new double[] {1, 5, 2, 90}, shares, 0.05));
  }
}
