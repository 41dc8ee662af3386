package lovelace.diagnostics;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.PredictionArrays;
import lovelace.posterior.internal.RowPosterior;

/// Predicts every row from all others, without learning again.
///
/// A posterior that has learned from a row with noise variance `s = σ²/w` is that of the other rows
/// times the row's own likelihood. Let m and v be mean and variance of f at the row's place, and `h
/// = v/s` the row's influence on its own mean. Without the row's likelihood, f has
///
/// ```
/// mean₋ᵢ = (m − h y)/(1 − h)        variance₋ᵢ = v/(1 − h)
/// ```
///
/// (GPML section 5.4.2; for smoothers Craven and Wahba 1979). The result is exact if mean and
/// variance are. It costs one prediction per row. Hyperparameters stay those learned from all rows.
/// The exact engine uses the diagonal of `(K + σ²)⁻¹`, which needs no noise.
public final class LeaveOneOut {

  private LeaveOneOut() {}

  /// The distribution of the observation of each row given all others, including its noise. It is
  /// NaN if rounding hides `1 − h`.
  ///
  /// @param held the posterior, if it holds its rows
  /// @param rows the rows that the posterior has learned from, in any order, with the target as it
  ///   is modelled
  public static Prediction of(Posterior posterior, Optional<RowPosterior> held, Dataset rows) {
    Optional<Prediction> leftOut = held.flatMap(RowPosterior::leftOut);
    if (leftOut.isPresent()) return ordered(leftOut.get(), rows, held.orElseThrow().data());
    double noise = posterior.noise();
    if (!(noise > 0))
      throw new IllegalArgumentException(
          "leaving rows out of a model without noise needs the exact engine, up to "
              + ExactGp.MOST_ROWS
              + " rows; fit with that, or with noise");
    int n = rows.size();
    var all = PredictionArrays.of(posterior.predict(rows.inputs()));
    for (int i = 0; i < n; i++) {
      double s = noise / rows.weight(i);
      double v = all.variances[i];
      double left = 1 - v / s; // 1 − h
      // a relative error of 1e-12 in v must not decide
      boolean known = left > 1e-9;
      all.means[i] = known ? (all.means[i] - v / s * rows.target()[i]) / left : Double.NaN;
      all.variances[i] = known ? v / left + s : Double.NaN;
    }
    return all.done();
  }

  /// The predictions for the rows held by the posterior, in the order of `rows`.
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

  /// The numbers of a row. Rows with equal numbers have the same prediction.
  @SuppressWarnings("ArrayRecordComponent") // compared by content
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
