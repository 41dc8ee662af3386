package lovelace.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.Model;
import lovelace.cli.Reading.Missing;
import lovelace.cli.Reading.Unseen;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Gaussian;
import lovelace.posterior.Prediction;

/// Writes a table of a model's predictions on a regular grid while they are computed: the inputs,
/// `mean`, `stddev`, `lower`, `upper` and `outside`.
final class GridTable {

  private final Model model;
  private final Likelihood.Of of;
  private final double below;
  private final double above;
  private final long rows;
  private final PrintWriter err;
  private final ProgressLine line;
  private long done = 0;

  /// @param interval the probability between lower and upper
  /// @param rows the number of rows of the result
  GridTable(Model model, Likelihood.Of of, double interval, long rows, PrintWriter err) {
    this.model = model;
    this.of = of;
    this.rows = rows;
    this.err = err;
    line = new ProgressLine(err);
    below = Gaussian.quantile(0.5 * (1 - interval));
    above = Gaussian.quantile(0.5 * (1 + interval));
  }

  /// Writes the table.
  void write(Table grid, String out) throws IOException {
    err.printf(Locale.ROOT, "lovelace: predicting %,d rows%n", rows);
    err.flush();
    List<Table.Added> added = new ArrayList<>();
    for (String name : List.of("mean", "stddev", "lower", "upper"))
      added.add(Table.Added.number(name));
    added.add(Table.Added.flag("outside"));
    var inputs = new Reading(model.columns(), Missing.SKIP, Unseen.ERROR).at(model.place());
    try (line) {
      grid.writer().map(inputs, added, this::predict, out, OutputStream.nullOutputStream());
    }
  }

  private void predict(int count, double[][] columns, double[][] results) {
    double[] ones = new double[count];
    Arrays.fill(ones, 1);
    double[] points = Models.points(count, columns, model.columns().size());
    Prediction p = model.predict(points, of, ones);
    for (int i = 0; i < count; i++) {
      results[0][i] = p.mean(i);
      results[1][i] = p.deviation(i);
      results[2][i] = p.quantileAt(i, below);
      results[3][i] = p.quantileAt(i, above);
      results[4][i] = p.outside(i) ? 1 : 0;
    }
    count(count);
  }

  /// Reports from time to time how long the rest will take.
  private synchronized void count(int more) {
    done += more;
    if (done >= rows) return;
    line.say(
        () ->
            String.format(
                Locale.ROOT,
                "%.0f %% of the rows, about %.0f s left",
                100.0 * done / rows,
                line.seconds() * (rows - done) / done));
  }
}
