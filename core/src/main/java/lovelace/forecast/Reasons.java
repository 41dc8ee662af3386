package lovelace.forecast;

import java.util.List;
import java.util.function.UnaryOperator;
import lovelace.series.Coefficients;
import lovelace.series.Explained;
import lovelace.series.Fitted;
import org.jspecify.annotations.Nullable;

/// The reasons for a forecast as users see them; none for a series without a process.
///
/// @param explained null without a process
/// @param outliers that were left out
record Reasons(@Nullable Explained explained, List<Outlier> outliers) {

  /// No reasons.
  static final Reasons NONE = new Reasons(null, List.of());

  List<Component> components(UnaryOperator<String> group, double... levels) {
    return explained == null ? List.of() : Component.of(explained.components(group, levels));
  }

  FittedValues fitted(double... levels) {
    if (explained == null) return new FittedValues(new int[0], new double[0], new double[0][]);
    Fitted fitted = explained.fitted(levels);
    return new FittedValues(fitted.steps(), fitted.median(), fitted.quantiles());
  }

  List<Anomaly> anomalies(double rate) {
    if (!(rate > 0 && rate < 1))
      throw new IllegalArgumentException("the rate must lie between 0 and 1, got " + rate);
    return explained == null
        ? List.of()
        : explained.anomalies(rate).all().stream().map(Anomaly::of).toList();
  }

  List<Coefficient> coefficients(double... levels) {
    if (explained == null) return List.of();
    Coefficients found = explained.coefficients(levels);
    return found.all().stream()
        .map(
            each ->
                new Coefficient(
                    each.column(),
                    each.estimate(),
                    each.error(),
                    100 * each.estimate() / Math.abs(found.typical()),
                    each.quantiles()))
        .toList();
  }
}
