package lovelace.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.forecast.Forecaster;
import lovelace.forecast.ValueKind;
import lovelace.forecast.time.Frequency;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of a command that reads series from a table: which columns hold them, and how their
/// steps and seasons are to be understood.
final class SeriesOptions {

  /// The word that switches a guess off.
  static final String NONE = "none";

  @Option(
      names = "--id",
      split = ",",
      paramLabel = "COLUMN",
      description =
          "The columns that tell series apart, such as shop,item. none takes the table as one "
              + "series (default: unique_id, or the only column of text).")
  private List<String> ids = List.of();

  @Option(
      names = "--time",
      paramLabel = "COLUMN",
      description = "The column of times (default: ds, or the only column of times).")
  private @Nullable String time;

  @Option(
      names = "--target",
      paramLabel = "COLUMN",
      description = "The column of values (default: y, or the only other column of numbers).")
  private @Nullable String target;

  @Option(
      names = "--series-in-columns",
      description = "Take every column of numbers as a series of its own.")
  private boolean wide = false;

  @Option(
      names = "--frequency",
      paramLabel = "STEP",
      description =
          "The step between values: Y, Q, M, W, D, B, h, min or s, also with a number before it, "
              + "such as 15min, or irregular for times on no regular steps (default: found from the "
              + "times).")
  private @Nullable String frequency;

  @Option(
      names = "--season",
      split = ",",
      paramLabel = "STEPS",
      description =
          "The periods of the seasons in steps, such as 24,168, or none (default: the usual ones "
              + "of the frequency).")
  private List<String> seasons = List.of();

  @Option(
      names = "--gaps",
      paramLabel = "missing|zero",
      description =
          "The meaning of a step without a value: it is not known, or it is 0 (default: missing).")
  private Forecaster.Gaps gaps = Forecaster.Gaps.MISSING;

  @Option(
      names = "--outliers",
      paramLabel = "keep|missing",
      description =
          "The treatment of gross and isolated outliers in the history: they count as values, or "
              + "as missing (default: missing).")
  private Forecaster.Outliers outliers = Forecaster.Outliers.MISSING;

  @Option(
      names = "--between",
      split = ",",
      paramLabel = "LOW,HIGH",
      description = "Keep forecasts between two bounds, such as 0,100 for shares in percent.")
  private List<Double> between = List.of();

  @Option(
      names = "--likelihood",
      paramLabel = "KIND",
      description =
          "The kind of the values: counts are whole numbers from 0, amounts are 0 or positive, and "
              + "numbers are any. auto finds it for each series from its values (default: auto).")
  private ValueKind likelihood = ValueKind.AUTO;

  /// The columns of ids that were named.
  List<String> ids() {
    return ids;
  }

  /// Whether the table is said to hold one series.
  boolean isOne() {
    return ids.equals(List.of(NONE));
  }

  Optional<String> time() {
    return Optional.ofNullable(time);
  }

  Optional<String> target() {
    return Optional.ofNullable(target);
  }

  boolean wide() {
    return wide;
  }

  Forecaster.Gaps gaps() {
    return gaps;
  }

  /// The bounds of values; none, or the lower and the upper one.
  List<Double> between() {
    return List.copyOf(between);
  }

  /// The frequency that was named.
  Optional<Frequency> frequency() {
    String named = frequency;
    return named == null || isIrregular()
        ? Optional.empty()
        : Optional.of(Named.of("--frequency", () -> Frequency.parse(named)));
  }

  /// Whether the times are said to lie on no regular steps.
  boolean isIrregular() {
    return IrregularOptions.WORD.equals(frequency);
  }

  /// The seasons that were asked for; empty if they follow from the frequency.
  Optional<double[]> seasons() {
    if (seasons.isEmpty()) return Optional.empty();
    if (seasons.equals(List.of(NONE))) return Optional.of(new double[0]);
    List<Double> all = new ArrayList<>();
    for (String text : seasons) {
      double period;
      try {
        period = Double.parseDouble(text.strip());
      } catch (NumberFormatException e) {
        period = Double.NaN;
      }
      if (!(period >= 2 && period < 1e6))
        throw new IllegalArgumentException(
            "--season must be periods of 2 to 1,000,000 steps, such as 24,168, or none, got '%s'"
                .formatted(text));
      all.add(period);
    }
    return Optional.of(all.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /// Refuses wrong values before any work is done.
  void check() {
    frequency();
    seasons();
    if (wide && !ids.isEmpty())
      throw new IllegalArgumentException(
          "--series-in-columns takes the names of columns as ids, and --id names columns of ids; leave out one of the two");
    if (wide && target != null)
      throw new IllegalArgumentException(
          "--series-in-columns takes every column of numbers, and --target names one; leave out one of the two");
    if (!between.isEmpty()) {
      if (likelihood == ValueKind.COUNTS || likelihood == ValueKind.AMOUNTS)
        throw new IllegalArgumentException(
            "--between sets bounds of numbers, and --likelihood %s says that values are from 0 on; leave out one of the two"
                .formatted(likelihood.name().toLowerCase(Locale.ROOT)));
      on(Forecaster.DEFAULT);
    }
  }

  /// A forecaster with the gaps and bounds that were asked for.
  Forecaster on(Forecaster forecaster) {
    Forecaster with = forecaster.withGaps(gaps).withOutliers(outliers);
    if (between.isEmpty()) return with.withLikelihood(likelihood);
    if (between.size() != 2)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--between must be two numbers, such as 0,100, got %d of them",
              between.size()));
    return Named.of(
        "--between",
        () -> with.withBounds(between.getFirst(), between.getLast()).withLikelihood(likelihood));
  }

  /// Seasons as people write them.
  static String text(double... seasons) {
    if (seasons.length == 0) return NONE;
    return String.join(
        ", ",
        Arrays.stream(seasons)
            .mapToObj(s -> s == Math.rint(s) ? Long.toString((long) s) : number(s))
            .toList());
  }

  private static String number(double season) {
    return String.format(Locale.ROOT, "%.2f", season);
  }
}
