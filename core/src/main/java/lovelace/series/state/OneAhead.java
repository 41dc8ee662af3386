package lovelace.series.state;

/// Forecasts of every value of one series from those before it, by recursive least squares on the
/// innovations of a filter.
///
/// @param place by time
/// @param spread the scale of Student's t with one degree of freedom fewer than values before; NaN
///   before the third value
@SuppressWarnings("ArrayRecordComponent")
public record OneAhead(double[] place, double[] spread) {

  /// The variance of the level before the first value, in units of the noise.
  private static final double FLAT = 1e9;

  static OneAhead of(
      Chain chain,
      Times times,
      double[] rows,
      int columns,
      boolean[] there,
      double[] prior,
      int n,
      int y,
      double least) {
    int m = prior.length + 1;
    int d = chain.size;
    double[] beta = new double[m];
    double[] c = new double[m * m];
    for (int i = 0; i < m; i++) c[i * m + i] = i < prior.length ? prior[i] : FLAT;
    double[] a = new double[d * columns];
    double[] p = chain.first();
    double[] x = new double[m];
    double[] cx = new double[m];
    double[] place = new double[n];
    double[] spread = new double[n];
    double squares = 0;
    int seen = 0;
    double gap = Double.NaN;
    Chain.Step step = chain.over(1);
    for (int t = 0; t < n; t++) {
      if (t > 0) {
        double now = times.at(t) - times.at(t - 1);
        if (now != gap) step = chain.over(now);
        gap = now;
        step.move(columns, a);
        step.spread(p);
      }
      double[] k = new double[d];
      double f = 1;
      double known = 0;
      for (int i = 0; i < d; i++) for (int at : chain.at) k[i] += p[i * d + at];
      for (int at : chain.at) f += k[at];
      System.arraycopy(rows, t * columns, x, 0, m);
      for (int at : chain.at) {
        for (int i = 0; i < m; i++) x[i] -= a[at * columns + i];
        known += a[at * columns + y];
      }
      double variance = f;
      place[t] = known;
      for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += c[i * m + j] * x[j];
        cx[i] = sum;
        place[t] += beta[i] * x[i];
      }
      for (int i = 0; i < m; i++) variance += cx[i] * x[i];
      double unit = Math.max(squares, least * Math.max(seen, 1) / n) / (seen - 1);
      spread[t] = seen < 2 ? Double.NaN : Math.sqrt(unit * variance);
      if (!there[t]) continue;
      double e = rows[t * columns + y] - place[t];
      if (seen > 0) squares += e * e / variance;
      seen++;
      for (int i = 0; i < m; i++) {
        beta[i] += cx[i] * e / variance;
        double g = cx[i] / variance;
        for (int j = 0; j < m; j++) c[i * m + j] -= g * cx[j];
      }
      for (int i = 0; i < d; i++) {
        k[i] /= f;
        for (int b = 0; b < m; b++) a[i * columns + b] += k[i] * x[b];
        a[i * columns + y] += k[i] * (rows[t * columns + y] - known);
      }
      for (int i = 0; i < d; i++) for (int j = 0; j < d; j++) p[i * d + j] -= k[i] * k[j] * f;
    }
    return new OneAhead(place, spread);
  }
}
