package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.forecast.Forecast;
import lovelace.forecast.Newcomers;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.Traits;
import lovelace.forecast.time.Moment;

/// Forecasts ids that a table does not have, by the forecasts of its series that have values up to
/// the last time.
final class NewSeries implements ForecastSink {

  /// The most series that tell about new ones.
  private static final int MOST = 2_000;

  private final NewIds ids;
  private final SeriesTable table;
  private final SeriesSteps steps;
  private final int horizon;
  private final long first;
  private final List<Newcomers.Member> members = new ArrayList<>();

  private NewSeries(
      NewIds ids, SeriesTable table, SeriesSteps steps, ForecastStart start, int horizon)
      throws IOException {
    this.ids = ids;
    this.table = table;
    this.steps = steps;
    this.horizon = horizon;
    Moment last = table.lastTime();
    first =
        start.from().isPresent()
            ? start.step(steps.frequency(), start.from().get())
            : steps.frequency().floor(last) + 1;
  }

  /// The new ids that options name, or that the table of the future has; empty without any.
  static Optional<NewSeries> read(
      NewOptions options,
      Table opened,
      SeriesTable table,
      SeriesSteps steps,
      SeriesKnown known,
      ForecastStart start,
      int horizon)
      throws IOException {
    Optional<NewIds> ids = Optional.empty();
    try (Table fresh = options.open().orElse(null)) {
      if (fresh != null)
        ids = Optional.of(NewIds.read(table, opened, fresh, options.statics(), true));
    }
    if (ids.isEmpty() && known.plan().isPresent())
      ids = Optional.of(NewIds.read(table, opened, known.plan().get(), options.statics(), false));
    if (ids.isEmpty() || ids.get().ids().isEmpty()) return Optional.empty();
    if (steps.isBounded())
      throw new IllegalArgumentException(
          "--between keeps series within bounds, and id '%s' has no rows: it is forecast by others, which bounds do not hold; leave out --between, or the ids without rows"
              .formatted(ids.get().ids().getFirst()));
    return Optional.of(new NewSeries(ids.get(), table, steps, start, horizon));
  }

  /// The columns that stay the same in a series.
  List<String> columns() {
    return ids.columns();
  }

  /// Prints what tells which series are alike.
  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%-11s %,d %s without rows, by series with similar %s%n",
        "new",
        ids.ids().size(),
        ids.ids().size() == 1 ? "id" : "ids",
        String.join(", ", ids.columns()));
    out.flush();
  }

  @Override
  public void add(PlacedSeries series, Forecast forecast) {
    if (!series.steps().equals(steps.frequency())) return;
    if (series.number() % Math.ceilDiv(table.count(), MOST) != 0) return;
    switch (forecast.kind()) {
      case NONE, ONE, NEW -> {
        return;
      }
      default -> {}
    }
    Traits traits = ids.known().get(series.number());
    long lead = first - series.end();
    if (traits != null && lead >= 0 && lead + horizon <= forecast.horizon())
      members.add(new Newcomers.Member(traits, forecast, Math.toIntExact(lead)));
  }

  /// Writes the forecasts of the new ids.
  void write(
      ForecastColumns columns,
      ForecastOutputs outputs,
      ForecastWork.Results results,
      ForecastReport report,
      PrintWriter out)
      throws IOException {
    if (members.size() < Newcomers.FEWEST) {
      out.printf(
          Locale.ROOT,
          "%-11s the %,d new %s no forecast: %,d series have values up to the last time, and at least %d must%n",
          "remark",
          ids.ids().size(),
          ids.ids().size() == 1 ? "id has" : "ids have",
          members.size(),
          Newcomers.FEWEST);
      return;
    }
    Newcomers newcomers = Newcomers.of(members, horizon);
    SplittableRandom random = new SplittableRandom(outputs.seed()).split();
    Map<Traits, double[][]> known = new HashMap<>();
    for (int i = 0; i < ids.ids().size(); i++) {
      Traits traits = ids.traits().get(i);
      List<String> remarks = new ArrayList<>();
      remarks.add(
          String.format(
              Locale.ROOT,
              "no rows; forecast by %,d series with similar %s",
              newcomers.members(),
              String.join(", ", ids.columns())));
      if (newcomers.isStrange(traits))
        remarks.add("no other series has its " + words(traits) + ", so the forecast is wide");
      Forecast forecast = newcomers.forecast(ids.ids().get(i), traits);
      PlacedSeries placed =
          new PlacedSeries(
              table.count() + i,
              TimeSeries.of(ids.ids().get(i)),
              steps.frequency(),
              first,
              0,
              0,
              remarks);
      report.add(placed, forecast);
      double[][] values =
          known.computeIfAbsent(
              traits,
              each -> {
                double[][] all = new double[horizon][];
                for (int k = 0; k < horizon; k++) all[k] = columns.at(forecast, k);
                return all;
              });
      for (int k = 0; k < horizon; k++)
        results.rows().add(placed.number(), at(first + k), values[k]);
      if (outputs.draws() == 0) continue;
      double[][] paths = forecast.sample(outputs.draws(), random.split());
      for (SeriesResult draws : results.draws())
        for (int d = 0; d < outputs.written(); d++)
          for (int k = 0; k < horizon; k++)
            draws.add(placed.number(), at(first + k), d + 1, paths[d][k]);
      for (SeriesResult totals : results.totals())
        totals.add(
            placed.number(),
            List.of(
                steps.frequency().at(first), steps.frequency().at(first + outputs.total() - 1L)),
            columns.of(ForecastWork.sums(paths, 0, outputs.total())));
    }
  }

  private List<Moment> at(long step) {
    return List.of(steps.frequency().at(step));
  }

  private static String words(Traits traits) {
    return traits.words().size() == 1 ? "'" + traits.words().getFirst() + "'" : "words";
  }
}
