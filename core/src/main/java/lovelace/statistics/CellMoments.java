package lovelace.statistics;

import lovelace.grid.Keys;

/// The sums that are kept for one cell, about its middle, with offsets t and weights w:
///
/// ```
/// [ Σ w t₁^p₁ … t_d^p_d,   p < 7 | Σ w y t₁^p₁ … t_d^p_d,   p < 4 | Σ w y² | Σ log w ]
///   7ᵈ numbers                     4ᵈ numbers                       1        1
/// ```
///
/// Inside a cell every interpolation weight is a cubic polynomial of the offset. So the cell's part
/// of G, b and yᵀy is a linear function of these sums.
public final class CellMoments {

  private CellMoments() {}

  public static int width(int d) {
    return Keys.power(7, d) + Keys.power(4, d) + 2;
  }

  /// Returns the working array that [#add] needs.
  static double[] scratch(int d) {
    return new double[d < 3 ? 0 : Keys.power(7, d)];
  }

  /// Adds one observation at offset t to a cell's sums, which start at `row[at]`.
  static void add(double[] row, int at, double[] t, double y, double weight, double[] scratch) {
    switch (t.length) {
      case 1 -> add1(row, at, t[0], y, weight);
      case 2 -> add2(row, at, t[0], t[1], y, weight);
      default -> addMany(row, at, t, y, weight, scratch);
    }
  }

  static void add1(double[] row, int at, double t, double y, double weight) {
    double t2 = t * t;
    double wt = weight * t;
    double wt2 = weight * t2;
    double wt3 = wt * t2;
    double wt4 = wt2 * t2;
    row[at] += weight;
    row[at + 1] += wt;
    row[at + 2] += wt2;
    row[at + 3] += wt3;
    row[at + 4] += wt4;
    row[at + 5] += wt3 * t2;
    row[at + 6] += wt4 * t2;
    row[at + 7] += y * weight;
    row[at + 8] += y * wt;
    row[at + 9] += y * wt2;
    row[at + 10] += y * wt3;
    row[at + 11] += weight * y * y;
    if (weight != 1) row[at + 12] += Math.log(weight);
  }

  static void add2(double[] row, int at, double s, double t, double y, double weight) {
    double t2 = t * t;
    double t3 = t2 * t;
    double t4 = t2 * t2;
    double t5 = t4 * t;
    double t6 = t4 * t2;
    double q = weight;
    int k = at;
    for (; k < at + 49; k += 7) {
      row[k] += q;
      row[k + 1] += q * t;
      row[k + 2] += q * t2;
      row[k + 3] += q * t3;
      row[k + 4] += q * t4;
      row[k + 5] += q * t5;
      row[k + 6] += q * t6;
      q *= s;
    }
    q = weight * y;
    for (; k < at + 65; k += 4) {
      row[k] += q;
      row[k + 1] += q * t;
      row[k + 2] += q * t2;
      row[k + 3] += q * t3;
      q *= s;
    }
    row[k] += weight * y * y;
    if (weight != 1) row[k + 1] += Math.log(weight);
  }

  private static void addMany(
      double[] row, int at, double[] t, double y, double weight, double[] scratch) {
    int wide = powers(t, 7, weight, scratch);
    for (int k = 0; k < wide; k++) row[at + k] += scratch[k];
    int narrow = powers(t, 4, weight * y, scratch);
    for (int k = 0; k < narrow; k++) row[at + wide + k] += scratch[k];
    row[at + wide + narrow] += weight * y * y;
    if (weight != 1) row[at + wide + narrow + 1] += Math.log(weight);
  }

  /// Writes all products `factor t₁^p₁ … t_d^p_d`, p < count, with the last axis fastest. Returns
  /// their number.
  private static int powers(double[] t, int count, double factor, double[] out) {
    out[0] = factor;
    int filled = 1;
    for (double s : t) {
      for (int j = filled - 1; j >= 0; j--) {
        double q = out[j];
        for (int p = 0; p < count; p++) {
          out[count * j + p] = q;
          q *= s;
        }
      }
      filled *= count;
    }
    return filled;
  }

  /// Returns the row for a target measured from an origin that is lower by delta: `y ← y + delta`.
  static double[] moved(double[] row, int d, double delta) {
    double[] moved = row.clone();
    int wide = Keys.power(7, d);
    int narrow = Keys.power(4, d);
    for (int k = 0; k < narrow; k++) {
      int from = 0;
      for (int a = 0, rest = k, stride = 1; a < d; a++, rest /= 4, stride *= 7)
        from += rest % 4 * stride;
      moved[wide + k] += delta * row[from];
    }
    moved[wide + narrow] += delta * (2 * row[wide] + delta * row[0]);
    return moved;
  }
}
