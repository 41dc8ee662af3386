package lovelace.plot;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.data.Column;
import lovelace.posterior.Scores.Classes.Bin;

/// Shows whether predicted probabilities are right: how often rows are of class 1, against its
/// probability.
final class Reliability {

  /// The probability that chance alone lies beyond each end of a box.
  private static final double TAIL = 0.025;

  /// Above this variance a binomial distribution is nearly Gaussian, and its terms may underflow.
  private static final double LARGE = 100;

  private static final int MANY = 100_000;

  private Reliability() {}

  static Plot of(List<Bin> bins, Column target, String event, String happened) {
    int n = bins.size();
    double[] predicted = bins.stream().mapToDouble(Bin::predicted).toArray();
    double[] observed = bins.stream().mapToDouble(Bin::observed).toArray();
    double[] middle = bins.stream().mapToDouble(b -> 0.5 * (b.lower() + b.upper())).toArray();
    double[] foot = new double[n];
    Arrays.fill(foot, -0.035);
    Plot plot =
        Plot.titled("Calibration of " + target.name())
            .subtitle(
                String.format(
                    Locale.ROOT,
                    "%,d rows by predicted probability. Numbers at the foot are rows in each class",
                    bins.stream().mapToLong(Bin::count).sum()))
            .labels("predicted " + event, "share of rows " + happened)
            .size(620, 620)
            .within(-0.06, 1);
    for (int k = 0; k < n; k++) {
      Bin bin = bins.get(k);
      double[] ends = {bin.lower(), bin.upper()};
      double low = chance(bin.count(), bin.predicted(), TAIL);
      double high = chance(bin.count(), bin.predicted(), 1 - TAIL);
      plot.band(
          k == 0 ? "where 95 % of right models lie" : "",
          ends,
          new double[] {low, low},
          new double[] {high, high},
          Palette.SKY,
          0.3);
    }
    double[] ends = {0, 1};
    return plot.dashed("calibrated", ends, ends, Palette.GREY, 1.2)
        .points("model", predicted, observed, Palette.VERMILION, Plot.Mark.DOT)
        .line("", predicted, observed, Palette.VERMILION, 1.2)
        .notes("rows", middle, foot, bins.stream().map(bin -> rows(bin.count())).toList());
  }

  private static String rows(int count) {
    return count < MANY
        ? String.format(Locale.ROOT, "%,d", count)
        : String.format(Locale.ROOT, "%,dk", Math.round(count / 1000.0));
  }

  /// The quantile q of the share of rows that are of class 1, if each of n is with probability p:
  /// that of a binomial distribution divided by n. If probabilities differ within a class, shares
  /// vary a little less.
  static double chance(int n, double p, double q) {
    if (p > 0.5) return 1 - below(n, 1 - p, 1 - q);
    return below(n, p, q);
  }

  private static double below(int n, double p, double q) {
    double variance = n * p * (1 - p);
    if (variance > LARGE) {
      double deviations = q < 0.5 ? -1.959964 : 1.959964;
      return Math.clamp(p + deviations * Math.sqrt(variance) / n, 0, 1);
    }
    double term = Math.exp(n * Math.log1p(-p));
    double sum = term;
    int k = 0;
    while (sum < q && k < n) {
      term *= (n - k) * p / ((k + 1.0) * (1 - p));
      sum += term;
      k++;
    }
    return (double) k / n;
  }
}
