package lovelace.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace forecast`: continues the series of a table.
@Command(
    name = "forecast",
    customSynopsis = {
      "lovelace forecast TABLE --horizon N [--out FILE] [--model FILE] [OPTIONS]",
      "       lovelace forecast --model FILE [--out FILE] [OPTIONS]",
      "       lovelace forecast --update FILE TABLE [--out FILE] [OPTIONS]"
    },
    description = {
      "Forecast the series of a table.",
      "The table has a row for each series and time: columns unique_id, ds and y, or others that "
          + "--id, --time and --target name. Rows may come in any order, and series may be many or "
          + "one. Each series continues from its own last value.",
      "",
      "The result has the ids, the time, median and mean, and the ends of intervals. A library of "
          + "processes with levels, slopes and seasons is averaged for each series. How much each "
          + "process counts, and how wide intervals must be to hold, is learned from at most 1,000 "
          + "series of the table.",
      "",
      "Examples:",
      "  lovelace forecast sales.csv --horizon 12",
      "  lovelace forecast sales.parquet --id shop,item --horizon 28 --out next.parquet",
      "  lovelace forecast hourly.csv --horizon 48 --season 24,168 --levels 50,90 --out next.csv",
      "  lovelace forecast sales.csv --horizon 14 --total 7 --total-out week.csv",
      "  lovelace forecast sales.csv --horizon 12 --plot sales.html",
      "  lovelace forecast visits.csv --at next-visits.csv --out next.csv",
      "  lovelace forecast sales.csv --horizon 12 --model sales.lvf",
      "  lovelace forecast --update sales.lvf may.csv --out next.csv"
    })
final class ForecastCommand implements Callable<Integer> {

  /// How many rows the screen gets.
  private static final int SHOWN = 12;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description =
          "A table: CSV, TSV, Parquet or JSON lines, also with .gz. - is standard input. With "
              + "--sql it may be a JDBC URL.")
  private @Nullable String table;

  @Mixin private final TableOptions tables = new TableOptions();

  @Option(
      names = "--horizon",
      paramLabel = "N",
      description =
          "The number of steps to forecast (required, unless a file of --model or --update says it, "
              + "or --at names times).")
  private @Nullable Integer horizon;

  @Mixin private final IrregularOptions irregular = new IrregularOptions();

  @Mixin private final SeriesOptions series = new SeriesOptions();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Let all forecasts start at this time, from the values before it (default: after the "
              + "last value of each series).")
  private @Nullable String from;

  @Mixin private final KnownOptions knowing = new KnownOptions();

  @Mixin private final NewOptions newcomers = new NewOptions();

  @Mixin private final ForecastColumns columns = new ForecastColumns();

  @Mixin private final ForecastOutputs outputs = new ForecastOutputs();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "The most memory that the process may take, such as 2g or 800mb (default: a heap of 60%% "
              + "of the machine's memory). Series stream through it; more of them take no more.")
  private @Nullable String memory;

  @Mixin private final ForecastExplanations explanations = new ForecastExplanations();

  @Mixin private final SeriesPlot plot = new SeriesPlot();

  @Mixin private final ForecastFiles files = new ForecastFiles();

  @Override
  public Integer call() throws IOException {
    boolean given = table != null || tables.given();
    if (memory != null) Database.keepSeriesWithin(LimitOptions.bytes(memory));
    files.check(given, series.wide());
    Optional<Path> file = files.read(given);
    irregular.check(Optional.ofNullable(horizon), file.isPresent());
    series.check();
    knowing.check();
    newcomers.check(
        knowing, outputs.sums().isPresent(), files.goesOn(given) || files.writesNew(given));
    columns.check();
    explanations.check(outputs.sums().isPresent());
    plot.check();
    DistinctFiles.check(spec);
    if (outputs.sums().isPresent()) {
      SumLevels.check(spec);
      if (files.writesNew(given))
        throw new IllegalArgumentException(
            "--sums and --model FILE do not go together while a table is learned; write the file first, and then forecast --model FILE --sums");
    }
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = outputs.rowsOnOut() ? err : spec.commandLine().getOut();
    try (ProgressLine line = new ProgressLine(err)) {
      if (file.isEmpty()) {
        int ahead = Objects.requireNonNullElse(horizon, IrregularOptions.MOST);
        outputs.check(ahead);
        try (Table opened = tables.open(table);
            SeriesKnown known = SeriesKnown.open(knowing, opened)) {
          line.begin("reading the table");
          SeriesColumns found = SeriesColumns.find(opened, series, known.taken(series));
          SeriesTable all = SeriesTable.read(opened, found, series.isOne());
          Optional<IrregularTimes> times = IrregularTimes.find(all, series, irregular);
          if (times.isPresent()) {
            var run = new IrregularRun(opened, found, all, series, columns, outputs, SHOWN);
            run.check(
                from != null,
                knowing.asked().isPresent(),
                files.writesNew(given),
                explanations.given() || outputs.sums().isPresent(),
                newcomers.given(),
                plot.file().isPresent());
            run.run(times.get(), ahead, line, out, stream());
            return 0;
          }
          SeriesSteps steps = SeriesSteps.find(all, series);
          known.read(all, series);
          run(opened, all, steps, Optional.of(known), Optional.empty(), ahead, line, out);
        }
        return 0;
      }
      ForecastJournal.tell(file.get(), err);
      StoredForecasts stored = StoredForecasts.open(file.get());
      int steps = ForecastFiles.horizon(horizon, stored.model().options().horizon(), file.get());
      outputs.check(steps);
      if (files.adds()) {
        line.begin("adding rows");
        Path target = files.write(given).orElseThrow();
        try (Table rows = tables.open(table)) {
          StoredForecasts.Added added =
              StoredForecasts.update(file.get(), rows, series.wide(), target, err);
          line.wipe();
          added.print(out);
          stored = added.stored();
        }
      }
      line.begin("reading the file");
      try (Table opened = stored.table()) {
        SeriesTable all = stored.series(opened);
        run(
            opened,
            all,
            stored.steps(all),
            Optional.empty(),
            Optional.of(stored.model()),
            steps,
            line,
            out);
      }
    }
    return 0;
  }

  /// Forecasts the series of a table.
  ///
  /// @param known the columns that are known ahead; empty if they are not asked for
  /// @param learned what was learned; empty if it must be learned
  private void run(
      Table opened,
      SeriesTable all,
      SeriesSteps steps,
      Optional<SeriesKnown> known,
      Optional<ForecastModel> learned,
      int horizon,
      ProgressLine line,
      PrintWriter out)
      throws IOException {
    SeriesColumns found = all.columns();
    ForecastStart start = ForecastStart.of(Optional.ofNullable(from), steps.form(), horizon);
    line.wipe();
    Optional<NewSeries> fresh = Optional.empty();
    Set<String> used = Set.of();
    if (known.isPresent()) {
      SeriesKnown columnsKnown = known.get();
      fresh = NewSeries.read(newcomers, opened, all, steps, columnsKnown, start, horizon);
      columnsKnown.requireUse(all, fresh.isPresent());
      used = columnsKnown.used();
      if (fresh.isPresent()) used.addAll(fresh.get().columns());
    }
    steps.print(out, found.besides(used));
    if (known.isPresent()) known.get().print(out, fresh.isPresent());
    if (fresh.isPresent()) fresh.get().print(out);
    ForecastReport report = new ForecastReport();
    String time = found.time();
    try (SeriesResult rows =
            new SeriesResult(all, "lovelace_forecast", List.of(time), columns.names());
        SeriesResult draws =
            new SeriesResult(all, "lovelace_draws", List.of(time), List.of("draw", "value"));
        SeriesResult totals =
            new SeriesResult(all, "lovelace_totals", List.of("from", "to"), columns.names());
        ExplanationTables explained = explanations.open(all, time, columns, known)) {
      ForecastWork work =
          learned.isPresent()
              ? new ForecastWork(all, steps, learned.get(), start, horizon, line)
              : new ForecastWork(all, steps, series, start, horizon, line);
      Optional<SumsWork> sums = Optional.empty();
      if (outputs.sums().isPresent()) {
        SumLevels levels = SumLevels.of(all, outputs.sums().get());
        var gaps = learned.map(model -> model.options().gaps()).orElse(series.gaps());
        sums = Optional.of(new SumsWork(all, steps, levels, horizon, gaps));
        if (learned.isEmpty()) work.extend(sums.get().longestLead());
      }
      known.ifPresent(work::know);
      fresh.ifPresent(work::also);
      work.explain(explained);
      Optional<SeriesGallery> gallery =
          plot.file().map(file -> new SeriesGallery(file, all, steps, horizon, 1));
      gallery.ifPresent(
          picture -> work.also((each, forecast) -> picture.add(each, forecast, start.lead(each))));
      ForecastModel model = learned.isPresent() ? learned.get() : work.learn();
      ForecastWork.Results results =
          new ForecastWork.Results(
              rows,
              outputs.drawsFile().isPresent() ? List.of(draws) : List.of(),
              outputs.total() > 0 ? List.of(totals) : List.of());
      ForecastFacts facts = new ForecastFacts(report, opened.name(), steps, model, horizon);
      Runs go = interruption -> work.run(model, columns, outputs, results, report, interruption);
      try (Interruption interruption =
          Interruption.begin(
              () -> {
                if (work.done() == 0) return "no series was finished, and no file is left";
                write(rows, draws, totals, explained);
                facts.finished(work.done(), all.count());
                facts.write(outputs);
                String kept =
                    files.writesNew(table != null || tables.given())
                        ? "; the file of --model, which needs all of them, was not written"
                        : "";
                return facts.saved(outputs, work.done(), all.count()) + kept;
              })) {
        if (sums.isPresent()) sums.get().run(model, columns, outputs, results, report);
        else keeping(learned, all, steps, model, work, line, go, interruption);
      }
      report.requireSome(opened.name());
      if (fresh.isPresent()) fresh.get().write(columns, outputs, results, report, out);
      line.begin("writing");
      results.end();
      write(rows, draws, totals, explained);
      Optional<String> drawn = Optional.empty();
      if (gallery.isPresent()) drawn = Optional.of(gallery.get().writeForecasts(steps));
      line.wipe();
      sums.ifPresent(each -> each.print(out));
      report.print(out, model, model.options().gaps() == Forecaster.Gaps.ZERO);
      known.ifPresent(each -> each.printRemarks(out));
      drawn.ifPresent(picture -> out.printf("%-11s %s%n", "picture", picture));
      if (outputs.rows().isEmpty()) rows.print(out, SHOWN);
      if (outputs.total() > 0 && outputs.totalFile().isEmpty()) totals.print(out, SHOWN);
      out.flush();
      facts.write(outputs);
    }
  }

  /// Forecasts, and keeps the series in a file if one is named.
  private void keeping(
      Optional<ForecastModel> learned,
      SeriesTable all,
      SeriesSteps steps,
      ForecastModel model,
      ForecastWork work,
      ProgressLine line,
      Runs go,
      Interruption interruption)
      throws IOException {
    Optional<Path> keep = learned.isPresent() ? Optional.empty() : files.write(true);
    if (keep.isEmpty()) {
      go.run(interruption);
      return;
    }
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = outputs.rowsOnOut() ? err : spec.commandLine().getOut();
    try (var keeper = ForecastKeeper.begin(keep.get(), all, steps, model, err)) {
      work.also(keeper);
      go.run(interruption);
      line.wipe();
      keeper.finish(out);
    }
  }

  /// Work that an interruption may end.
  private interface Runs {
    void run(Interruption interruption) throws IOException;
  }

  /// Writes the files that were asked for.
  private void write(
      SeriesResult rows, SeriesResult draws, SeriesResult totals, ExplanationTables explained)
      throws IOException {
    explained.write(stream());
    if (outputs.drawsFile().isPresent()) draws.write(outputs.drawsFile().get(), stream());
    if (outputs.totalFile().isPresent()) totals.write(outputs.totalFile().get(), stream());
    if (outputs.rows().isPresent()) rows.write(outputs.rows().get(), stream());
    spec.commandLine().getOut().flush();
  }

  private OutputStream stream() {
    return Models.stream(spec.commandLine().getOut());
  }
}
