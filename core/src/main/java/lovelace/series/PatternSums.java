package lovelace.series;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lovelace.linear.Blas;

/// Products of patterns with vectors and with `K⁻¹`, each from sums over later values: O(n²) in all
/// after one inverse.
final class PatternSums {

  private final List<Pattern> patterns;
  private final int[] steps;

  PatternSums(List<Pattern> patterns, int[] steps) {
    this.patterns = patterns;
    this.steps = steps;
  }

  /// `xᵀg` for every pattern x.
  double[] products(double[] g) {
    int n = steps.length;
    double[] later = new double[n + 1];
    for (int i = n - 1; i >= 0; i--) later[i] = later[i + 1] + g[i];
    Map<Integer, double[]> same = new HashMap<>();
    double[] products = new double[patterns.size()];
    for (int j = 0; j < products.length; j++) {
      Pattern x = patterns.get(j);
      int i = x.value();
      int m = x.period();
      products[j] =
          switch (x.kind()) {
            case OUTLIER -> g[i];
            case SHIFT -> later[i];
            case SEASON ->
                (m * same.computeIfAbsent(m, p -> samePlace(g, p))[i] - later[i]) / (m - 1);
          };
    }
    return products;
  }

  /// For each value the sum of it and the later ones at the same place of the period.
  private double[] samePlace(double[] g, int m) {
    double[] sums = new double[steps.length];
    double[] byPlace = new double[m];
    for (int i = steps.length - 1; i >= 0; i--) {
      byPlace[steps[i] % m] += g[i];
      sums[i] = byPlace[steps[i] % m];
    }
    return sums;
  }

  /// `xᵀK⁻¹x` for every pattern x.
  double[] squares(Factor factor) {
    int n = steps.length;
    double[] k = factor.l.clone();
    Blas.potri(n, k, 0, n);
    Blas.mirror(n, k);
    double[] step = new double[n]; // of shifts
    double[] rows = new double[n]; // sums of rows over the values from i on
    Map<Integer, double[][]> seasons = new HashMap<>(); // sums at the same place: alone, with rows
    for (Pattern x : patterns)
      if (x.period() > 0) seasons.computeIfAbsent(x.period(), m -> new double[2][n]);
    Map<Integer, double[]> open = new HashMap<>();
    seasons.keySet().forEach(m -> open.put(m, new double[m]));
    for (int i = n - 1; i >= 0; i--) {
      for (int j = i; j < n; j++) rows[j] += k[i * n + j];
      // rows[i] lacks the values after i.
      for (int j = i + 1; j < n; j++) rows[i] += k[i * n + j];
      step[i] = (i + 1 < n ? step[i + 1] : 0) + 2 * rows[i] - k[i * n + i];
      int from = i;
      seasons.forEach(
          (m, sums) -> {
            double alone = k[from * n + from];
            double with = 0;
            for (int j = from; j < n; j++) {
              if (steps[j] % m != steps[from] % m) continue;
              if (j > from) alone += 2 * k[from * n + j];
              with += rows[j];
            }
            double[] byPlace = Objects.requireNonNull(open.get(m));
            byPlace[steps[from] % m] += alone;
            sums[0][from] = byPlace[steps[from] % m];
            sums[1][from] = with;
          });
    }
    double[] squares = new double[patterns.size()];
    for (int j = 0; j < squares.length; j++) {
      Pattern x = patterns.get(j);
      int i = x.value();
      double m = x.period();
      squares[j] =
          switch (x.kind()) {
            case OUTLIER -> k[i * n + i];
            case SHIFT -> step[i];
            case SEASON -> {
              double[][] sums = Objects.requireNonNull(seasons.get(x.period()));
              yield (m * m * sums[0][i] - 2 * m * sums[1][i] + step[i]) / ((m - 1) * (m - 1));
            }
          };
    }
    return squares;
  }
}
