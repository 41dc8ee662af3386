package lovelace.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The options of a forecaster as texts: names and values in turn.
final class StoredOptions {

  private static final String HORIZON = "horizon";
  private static final String GAPS = "gaps";
  private static final String OUTLIERS = "outliers";
  private static final String LIKELIHOOD = "likelihood";
  private static final String BOUNDS = "bounds";
  private static final String SEASONS = "seasons";

  private StoredOptions() {}

  static List<@Nullable String> texts(Forecaster options) {
    List<@Nullable String> all = new ArrayList<>();
    all.addAll(List.of(HORIZON, Integer.toString(options.horizon())));
    all.addAll(List.of(GAPS, options.gaps().name()));
    all.addAll(List.of(OUTLIERS, options.outliers().name()));
    all.addAll(List.of(LIKELIHOOD, options.likelihood().name()));
    all.addAll(List.of(BOUNDS, numbers(options.bounds())));
    all.addAll(List.of(SEASONS, numbers(options.seasons())));
    return all;
  }

  /// @throws IllegalArgumentException if there is an option that this program does not know
  static Forecaster of(List<@Nullable String> texts) {
    Forecaster options = Forecaster.DEFAULT;
    for (int i = 0; i + 1 < texts.size(); i += 2) {
      String name = String.valueOf(texts.get(i));
      String value = String.valueOf(texts.get(i + 1));
      options =
          switch (name) {
            case HORIZON -> options.withHorizon(Integer.parseInt(value));
            case GAPS -> options.withGaps(Forecaster.Gaps.valueOf(value));
            case OUTLIERS -> options.withOutliers(Forecaster.Outliers.valueOf(value));
            case LIKELIHOOD -> options.withLikelihood(ValueKind.valueOf(value));
            case BOUNDS -> {
              double[] bounds = numbers(value);
              yield bounds.length == 2 ? options.withBounds(bounds[0], bounds[1]) : options;
            }
            case SEASONS -> options.withSeasons(numbers(value));
            default ->
                throw new IllegalArgumentException(
                    "the option '%s', which this program does not know".formatted(name));
          };
    }
    return options;
  }

  private static String numbers(double... values) {
    return Arrays.stream(values).mapToObj(Double::toString).collect(Collectors.joining(","));
  }

  private static double[] numbers(String text) {
    return text.isEmpty()
        ? new double[0]
        : Arrays.stream(text.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }
}
