package lovelace.cli;

import java.util.Locale;
import java.util.Optional;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;

/// Where forecasts start: after the last value of each series, or at one time for all.
///
/// @param from the time; empty for the end of each series
/// @param most how many steps a series may end before that time
record ForecastStart(Optional<Moment> from, int most) {

  /// A series may end this many steps before the start of all forecasts, or a horizon if that is
  /// longer.
  static final int LEAST = 30;

  /// Reads the time that an option names.
  static ForecastStart of(Optional<String> text, TimeForm form, int horizon) {
    return new ForecastStart(
        text.map(t -> Named.of("--from", () -> form.parse(t))), Math.max(LEAST, horizon));
  }

  /// The first step from the start on.
  long step(Frequency steps, Moment moment) {
    long floor = steps.floor(moment);
    return steps.at(floor).equals(moment) ? floor : floor + 1;
  }

  /// The part of a series that a forecast may use.
  PlacedSeries cut(PlacedSeries series) {
    if (from.isEmpty() || series.values().size() == 0) return series;
    long step = step(series.steps(), from.get());
    PlacedSeries cut = series;
    if (step < series.end())
      cut =
          series.before(
              step,
              String.format(
                  Locale.ROOT,
                  "%,d steps from --from on are not used",
                  series.end() - Math.max(step, series.first())));
    long lead = step - cut.end();
    if (lead <= most && cut.values().size() > 0) return cut;
    return cut.before(
        Long.MIN_VALUE,
        cut.values().size() == 0
            ? "no values before --from, so no forecast"
            : String.format(
                Locale.ROOT,
                "ends %,d steps before --from, which is too long ago, so no forecast",
                lead));
  }

  /// How many steps lie between the end of a series that was cut and its forecast.
  int lead(PlacedSeries cut) {
    if (from.isEmpty() || cut.values().size() == 0) return 0;
    return Math.toIntExact(step(cut.steps(), from.get()) - cut.end());
  }
}
