package lovelace.maps;

import java.util.Locale;
import lovelace.posterior.Prediction;

/// A quantity that a map shows at every pixel.
public sealed interface MapBand {

  /// The description of the band, such as `mean of rain (mm)` if the values are `rain (mm)` and the
  /// target is `rain`.
  String describe(String label, String target);

  /// A quantity of the distribution at one point.
  sealed interface Pointwise extends MapBand {
    double of(Prediction prediction, int i);
  }

  /// The mean.
  record Mean() implements Pointwise {
    @Override
    public double of(Prediction prediction, int i) {
      return prediction.mean(i);
    }

    @Override
    public String describe(String label, String target) {
      return label.startsWith("mean of ") ? label : "mean of " + label;
    }
  }

  /// The standard deviation.
  record Deviation() implements Pointwise {
    @Override
    public double of(Prediction prediction, int i) {
      return prediction.deviation(i);
    }

    @Override
    public String describe(String label, String target) {
      return "standard deviation of " + label;
    }
  }

  /// The value that is exceeded with probability 1 − p.
  record Quantile(double p) implements Pointwise {
    public Quantile {
      if (!(p > 0 && p < 1))
        throw new IllegalArgumentException(
            "quantiles must lie between 0 and 1, got " + p + "; 0.5 is the median");
    }

    @Override
    public double of(Prediction prediction, int i) {
      return prediction.quantile(i, p);
    }

    @Override
    public String describe(String label, String target) {
      return "quantile %s of %s".formatted(text(p), label);
    }
  }

  /// The probability of a value above a threshold.
  record Exceeds(double threshold) implements Pointwise {
    public Exceeds {
      if (!Double.isFinite(threshold))
        throw new IllegalArgumentException("a threshold must be a finite number, got " + threshold);
    }

    @Override
    public double of(Prediction prediction, int i) {
      return Math.clamp(1 - prediction.cumulative(i, threshold), 0, 1);
    }

    @Override
    public String describe(String label, String target) {
      return "P(%s > %s)".formatted(target, text(threshold));
    }
  }

  /// A function drawn from the posterior. Each number from 1 gives another one.
  record Draw(int number) implements MapBand {
    @Override
    public String describe(String label, String target) {
      return String.format(Locale.ROOT, "draw %d of %s", number, label);
    }
  }

  private static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
