package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import lovelace.Model;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Gaussian;
import lovelace.posterior.Prediction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace predict`: writes a table with a model's predictions beside it.
@Command(
    name = "predict",
    customSynopsis = {"lovelace predict MODEL TABLE [--out FILE] [OPTIONS]"},
    description = {
      "Predict every row of a table.",
      "The result holds the columns of the table, then mean, variance, lower, upper and "
          + "outside.",
      "",
      "Predictions are of the function itself, or of the rate or probability if the "
          + "likelihood has one. --of observation predicts what a row may hold, noise included. "
          + "Intervals of counts are whole numbers, and intervals of probabilities lie between 0 "
          + "and 1. 'outside' marks rows beyond the model's grid. Rows are streamed, so tables of "
          + "any size fit in memory.",
      "",
      "Examples:",
      "  lovelace predict model.lvl new.csv > predictions.csv",
      "  lovelace predict model.lvl new.parquet --of observation \\",
      "      --interval 0.9 --out predictions.parquet",
      "  lovelace predict calls.lvl new.csv --of observation --exposure hours \\",
      "      --quantiles 0.1,0.5,0.9"
    })
final class PredictCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "MODEL", description = "The model file to read.")
  @SuppressWarnings("NullAway.Init")
  private Path model;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TABLE",
      description =
          "A table: CSV, TSV, Parquet or JSON lines, also with .gz. - is standard input. With "
              + "--sql it may be a JDBC URL.")
  private @Nullable String table;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Mixin private final TableOptions tables = new TableOptions();

  @Mixin private final RowOutput output = new RowOutput();

  @Option(
      names = "--interval",
      paramLabel = "LEVEL",
      description = "The probability between lower and upper (default: 0.95).")
  private double interval = 0.95;

  @Option(
      names = "--quantiles",
      split = ",",
      paramLabel = "P",
      description =
          "Add a column for each of these quantiles. 0.1,0.5,0.9 adds q0.1, q0.5 and q0.9.")
  private List<Double> quantiles = List.of();

  @Mixin private final OfOptions asked = new OfOptions();

  @Mixin private final ReadingOptions reading = new ReadingOptions();

  @Mixin private final CovariateOptions covariates = new CovariateOptions();

  @Override
  public Integer call() throws IOException {
    if (!(interval > 0 && interval < 1))
      throw new IllegalArgumentException(
          "--interval must lie between 0 and 1, got " + interval + "; 0.95 is usual");
    String out = output.checked();
    for (double p : quantiles)
      if (!(p > 0 && p < 1))
        throw new IllegalArgumentException(
            "--quantiles must lie between 0 and 1, got " + p + "; 0.5 is the median");
    Model loaded = models.load(spec, model);
    Likelihood.Of of = asked.of(loaded.likelihood());
    int d = loaded.columns().size();
    double below = Gaussian.quantile(0.5 * (1 - interval));
    double above = Gaussian.quantile(0.5 * (1 + interval));
    // The query computes ends of intervals that are linear in the standard deviation, which is
    // faster.
    boolean linear =
        loaded.transform().equals(TargetTransform.NONE)
            && (of == Likelihood.Of.FUNCTION || loaded.likelihood().isGaussian());
    List<Table.Added> added = new ArrayList<>();
    added.add(Table.Added.number("mean"));
    added.add(Table.Added.number("variance"));
    added.add(linear ? end("lower", below) : Table.Added.number("lower"));
    added.add(linear ? end("upper", above) : Table.Added.number("upper"));
    for (double p : quantiles) added.add(Table.Added.number("q" + p));
    added.add(Table.Added.flag("outside"));
    try (Table rows = tables.open(table)) {
      covariates.addTo(rows, loaded);
      Reading inputs = asked.reading(loaded, rows, reading);
      asked.remark(spec, loaded.likelihood());
      ProgressLine line = progress(out);
      LongAdder done = new LongAdder();
      rows.writer()
          .map(
              inputs,
              added,
              (count, columns, results) -> {
                double[] points = Models.points(count, columns, d);
                Prediction p = loaded.predict(points, of, OfOptions.sizes(count, columns, d));
                double[] outside = results[results.length - 1];
                for (int i = 0; i < count; i++) {
                  results[0][i] = p.mean(i);
                  results[1][i] = p.variance(i);
                  outside[i] = p.outside(i) ? 1 : 0;
                  int next = 2;
                  if (!linear) {
                    results[next++][i] = p.quantileAt(i, below);
                    results[next++][i] = p.quantileAt(i, above);
                  }
                  for (double q : quantiles) results[next++][i] = p.quantile(i, q);
                }
                done.add(count);
                line.say(
                    () ->
                        String.format(Locale.ROOT, "%,d rows, %.0f s", done.sum(), line.seconds()));
              },
              out,
              Models.stream(spec.commandLine().getOut()));
      line.close();
      Models.remark(spec, inputs);
    }
    return 0;
  }

  /// Shows progress, unless the rows themselves appear on the terminal.
  private ProgressLine progress(String out) {
    boolean rows = Output.isStandard(out) && Terminal.isOut();
    return new ProgressLine(
        rows ? new PrintWriter(Writer.nullWriter()) : spec.commandLine().getErr());
  }

  private static Table.Added end(String name, double deviations) {
    return Table.Added.expression(
        name, "mean + '%s'::double * sqrt(variance)".formatted(deviations));
  }
}
