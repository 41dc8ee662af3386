package lovelace.cli;

import java.util.Optional;
import lovelace.forecast.time.Frequency;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of forecasts at times that lie on no regular steps.
final class IrregularOptions {

  /// The frequency that stands for none.
  static final String WORD = "irregular";

  /// The most steps.
  static final int MOST = 10_000;

  @Option(
      names = "--at",
      paramLabel = "FILE",
      description =
          "Forecast at the times in this table, in place of --horizon steps. They are in the column "
              + "with the name of the time column, or in the only column. The times of the values "
              + "may be any.")
  private @Nullable String at;

  @Option(
      names = "--step",
      paramLabel = "STEP",
      description =
          "The step of the horizon where the times of a table lie on no regular steps, such as 1h, "
              + "or a plain number (default: the median gap between values).")
  private @Nullable String step;

  /// The file of times.
  Optional<String> at() {
    return Optional.ofNullable(at);
  }

  /// The step that was named.
  Optional<Frequency> step() {
    String named = step;
    return named == null
        ? Optional.empty()
        : Optional.of(Named.of("--step", () -> Frequency.parse(named)));
  }

  /// Refuses wrong values before any work is done.
  ///
  /// @param file whether a file of forecasts is read, which has regular steps and a horizon
  void check(Optional<Integer> horizon, boolean file) {
    step();
    horizon.ifPresent(n -> Named.within("--horizon", n, 1, MOST, "12 is a year of months"));
    if (file && (at != null || step != null))
      throw new IllegalArgumentException(
          "%s is for times on no regular steps, and a file of forecasts has regular ones; leave it out, or forecast the table again"
              .formatted(at != null ? "--at" : "--step"));
    if (file) return;
    boolean given = horizon.isPresent();
    if (at != null && given)
      throw new IllegalArgumentException(
          "--at names the times to forecast, and --horizon counts steps; leave out one of the two");
    if (at != null && step != null)
      throw new IllegalArgumentException(
          "--at names the times to forecast, and --step is the step between times; leave out one of the two");
    if (at == null && !given)
      throw new IllegalArgumentException(
          "--horizon is missing; it says how many steps to forecast, such as --horizon 12, or name times with --at FILE");
  }

  /// Refuses to step where times are regular.
  void refuseStep(Frequency frequency) {
    if (step != null)
      throw new IllegalArgumentException(
          "--step is for times that lie on no regular steps, and those of this table are %s; leave it out, or pass --frequency irregular"
              .formatted(frequency.words()));
  }
}
