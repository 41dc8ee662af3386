package lovelace.series;

/// The slope of a [Shape]: `b₀ ~ N(0, first)`, `b_t = damping · b_{t−1} + N(0, change)`, in units
/// of `1 + level`. The level grows by the slope at every step.
///
/// @param damping between 0 and 1; 1 keeps the slope
/// @param change the variance of its innovations
/// @param first the variance of the first slope
public record Slope(double damping, double change, double first) {

  /// No slope.
  public static final Slope NONE = new Slope(0, 0, 0);

  public Slope {
    if (!(damping >= 0 && damping <= 1))
      throw new IllegalArgumentException("damping must lie between 0 and 1, got " + damping);
    if (!(change >= 0 && first >= 0))
      throw new IllegalArgumentException("change and first must be ≥ 0");
  }

  /// Adds `unit` times the covariance of the summed slopes to the lower triangle of an n × n
  /// matrix. The sum of squares of partial sums is built from its neighbours.
  void addTo(int n, double unit, double[] k) {
    if (change == 0 && first == 0) return;
    double[] variance = new double[n];
    variance[0] = first;
    for (int t = 1; t < n; t++) variance[t] = damping * damping * variance[t - 1] + change;
    double[] power = new double[n];
    power[0] = 1;
    for (int t = 1; t < n; t++) power[t] = damping * power[t - 1];
    // Cov(S_i, S_j) with S_i = b_0 + … + b_{i−1}, row by row; the row before is enough.
    double[] before = new double[n];
    double[] row = new double[n];
    for (int i = 1; i < n; i++) {
      double along = 0; // Σ_{s<j} Cov(b_{i−1}, b_s)
      for (int j = 1; j <= i; j++) {
        along += power[i - j] * variance[j - 1];
        row[j] = (j < i ? before[j] : before[i - 1] + along - power[0] * variance[i - 1]) + along;
      }
      for (int j = 1; j <= i; j++) k[i * n + j] += unit * row[j];
      double[] swap = before;
      before = row;
      row = swap;
    }
  }
}
