package lovelace.posterior;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A prediction in one line.
final class PredictionText {

  private static final int SHOWN = 5;

  private PredictionText() {}

  /// The first points by mean and standard deviation, and the number of points.
  static String of(Prediction p) {
    String points =
        IntStream.range(0, Math.min(p.size(), SHOWN))
            .mapToObj(i -> at(p, i) + (p.outside(i) ? " (outside the grid)" : ""))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "mean ± standard deviation at %,d point%s: %s%s",
        p.size(),
        p.size() == 1 ? "" : "s",
        points,
        p.size() > SHOWN ? ", …" : "");
  }

  /// The standard deviation with two digits, and the mean with the same number of decimals.
  private static String at(Prediction p, int i) {
    double sd = p.deviation(i);
    int decimals = 1 - (int) Math.floor(Math.log10(sd));
    double largest = Math.max(Math.abs(p.mean(i)), sd);
    if (!(sd > 0 && largest < 1e9 && decimals <= 9))
      return String.format(Locale.ROOT, "%.6g ± %.2g", p.mean(i), sd);
    String number = "%." + Math.max(0, decimals) + "f";
    return String.format(Locale.ROOT, number + " ± " + number, p.mean(i), sd);
  }
}
