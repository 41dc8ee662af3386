package lovelace.diagnostics;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import lovelace.data.Dataset;
import lovelace.drift.DriftedRows;
import lovelace.exact.ExactGp;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.MappedRows;

/// Every row predicted from all others, without refitting.
///
/// A posterior that has learned from a row with noise variance `s = σ²/w` is that of the other rows
/// times the row's own likelihood. With m and v, mean and variance of f at the row's place, and `h
/// = v/s`, the row's influence on its own mean, taking the likelihood out leaves
///
/// ```
/// mean₋ᵢ = (m − h y)/(1 − h)        variance₋ᵢ = v/(1 − h)
/// ```
///
/// of f (GPML section 5.4.2; for smoothers Craven and Wahba 1979). It is exact where mean and
/// variance are, and costs a prediction a row. Hyperparameters stay those learned from all rows.
/// The exact engine goes by the diagonal of `(K + σ²)⁻¹`, which needs no noise.
public final class LeaveOneOut {

  private LeaveOneOut() {}

  /// The distribution of the observation of each row given all others, its noise included. NaN
  /// where rounding leaves `1 − h` unknown.
  ///
  /// @param rows those that the posterior has learned from, in any order, with the target as it is
  ///   modelled
  public static Prediction of(Posterior posterior, Dataset rows) {
    if (posterior instanceof ExactGp exact) return ordered(exact.leaveOneOut(), rows, exact.data());
    if (posterior instanceof MappedRows mapped && mapped.inner() instanceof ExactGp exact)
      return ordered(exact.leaveOneOut(), rows, mapped.data());
    if (posterior instanceof DriftedRows drifted && drifted.inner() instanceof ExactGp exact)
      return ordered(drifted.leaveOneOut(exact), rows, drifted.data());
    double noise = posterior.noise();
    if (!(noise > 0))
      throw new IllegalArgumentException(
          "leaving rows out of a model without noise needs the exact engine, up to "
              + ExactGp.MOST_ROWS
              + " rows; fit with that, or with noise");
    int n = rows.size();
    Prediction with = posterior.predict(rows.inputs());
    double[] means = new double[n];
    double[] variances = new double[n];
    byte[] marks = new byte[n];
    for (int i = 0; i < n; i++) {
      double s = noise / rows.weight(i);
      double v = with.variance(i);
      double left = 1 - v / s; // 1 − h
      // a relative error of 1e-12 in v must not decide
      boolean known = left > 1e-9;
      means[i] = known ? (with.mean(i) - v / s * rows.target()[i]) / left : Double.NaN;
      variances[i] = known ? v / left + s : Double.NaN;
      marks[i] = Prediction.mark(with.outside(i), with.atBound(i));
    }
    return Prediction.adopt(means, variances, marks);
  }

  /// What is known of the rows held, in the order of `rows`.
  private static Prediction ordered(Prediction all, Dataset rows, Dataset held) {
    Map<Row, Integer> places = new HashMap<>();
    for (int i = 0; i < held.size(); i++) places.put(Row.of(held, i), i);
    int n = rows.size();
    double[] means = new double[n];
    double[] variances = new double[n];
    for (int i = 0; i < n; i++) {
      Integer at = places.get(Row.of(rows, i));
      if (at == null)
        throw new IllegalArgumentException(
            "row " + (i + 1) + " is not among the rows that the posterior has learned from");
      means[i] = all.mean(at);
      variances[i] = all.variance(at);
    }
    return Prediction.adopt(means, variances);
  }

  /// The numbers of a row; rows with equal numbers have one answer.
  @SuppressWarnings("ArrayRecordComponent") // compared by what is in it
  private record Row(double[] values) {
    static Row of(Dataset data, int i) {
      int d = data.dimensions();
      double[] values = Arrays.copyOfRange(data.inputs(), i * d, (i + 1) * d + 2);
      values[d] = data.target()[i];
      values[d + 1] = data.weight(i);
      return new Row(values);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Row row && Arrays.equals(values, row.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }
  }
}
