package lovelace.posterior.internal;

import lovelace.posterior.Prediction;

/// Means, variances and marks of points during computation. Several threads may write, each to its
/// own points.
public final class PredictionArrays {

  public final double[] means;
  public final double[] variances;
  private final byte[] marks;

  private PredictionArrays(double[] means, double[] variances) {
    this.means = means;
    this.variances = variances;
    marks = new byte[means.length];
  }

  /// Makes room for this many points.
  public PredictionArrays(int points) {
    this(new double[points], new double[points]);
  }

  /// Copies a prediction to change its means and variances. The marks stay.
  public static PredictionArrays of(Prediction prediction) {
    var all = new PredictionArrays(prediction.means(), prediction.variances());
    for (int i = 0; i < all.marks.length; i++)
      all.marks[i] = Prediction.mark(prediction.outside(i), prediction.atBound(i));
    return all;
  }

  /// Sets mean and variance of a point, like [#variance(int, double, double, boolean)].
  public void put(int i, double mean, double variance, double least, boolean outside) {
    means[i] = mean;
    variance(i, variance, least, outside);
  }

  /// Sets the variance of a point. If it does not exceed `least`, it cannot be distinguished from
  /// rounding; then `least` is reported instead, and marked.
  public void variance(int i, double variance, double least, boolean outside) {
    boolean atBound = !(variance > least);
    variances[i] = atBound ? least : variance;
    marks[i] = Prediction.mark(outside, atBound);
  }

  /// Returns the prediction, which takes ownership of the arrays.
  public Prediction done() {
    return Prediction.adopt(means, variances, marks);
  }
}
