package lovelace.series.counts;

import java.util.Arrays;

/// How much each point of a library counts for a series: `log share_j = log w_j + e^η evidence_j +
/// e^κ score_j` up to a constant.
///
/// @param logWeight log w_j
/// @param powers η and κ
@SuppressWarnings("ArrayRecordComponent")
record Shares(double[] logWeight, double[] powers) {

  /// The powers before anything is learned.
  static final double[] POWERS = {-1, -1.5};

  /// The share below which a point is left out of a forecast.
  private static final double LEAST = 2e-3;

  /// Equal weights.
  static Shares even(int size) {
    return new Shares(new double[size], POWERS.clone());
  }

  /// The shares of the points. They add up to 1.
  double[] of(double[] evidence, double[] score) {
    double eta = Math.exp(powers[0]);
    double kappa = Math.exp(powers[1]);
    double[] share = new double[logWeight.length];
    double largest = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < share.length; j++) {
      share[j] = logWeight[j] + eta * evidence[j] + kappa * score[j];
      largest = Math.max(largest, share[j]);
    }
    double sum = 0;
    for (int j = 0; j < share.length; j++) {
      share[j] = Math.exp(share[j] - largest);
      sum += share[j];
    }
    for (int j = 0; j < share.length; j++) share[j] /= sum;
    return share;
  }

  /// The same without small shares.
  double[] main(Evidence evidence) {
    double[] all = of(evidence.evidence(), evidence.score());
    double most = Arrays.stream(all).max().orElse(1);
    double sum = 0;
    for (int j = 0; j < all.length; j++) {
      if (all[j] < LEAST * most) all[j] = 0;
      sum += all[j];
    }
    for (int j = 0; j < all.length; j++) all[j] /= sum;
    return all;
  }
}
