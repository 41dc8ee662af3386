package lovelace.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import lovelace.Model;
import lovelace.cli.Reading.Missing;
import lovelace.cli.Reading.Unseen;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Gaussian;
import lovelace.posterior.Prediction;

/// A table of a model's predictions on a regular grid: the inputs, `mean`, `stddev`, `lower`,
/// `upper` and `outside`, written while they are computed.
record GridTable(Model model, Likelihood.Of of, double interval) {

  /// Writes the table and returns its number of rows.
  long write(Table grid, String out) throws IOException {
    List<Table.Added> added = new ArrayList<>();
    for (String name : List.of("mean", "stddev", "lower", "upper"))
      added.add(Table.Added.number(name));
    added.add(Table.Added.flag("outside"));
    int d = model.columns().size();
    double below = Gaussian.quantile(0.5 * (1 - interval));
    double above = Gaussian.quantile(0.5 * (1 + interval));
    var rows = new LongAdder();
    Reading inputs = new Reading(model.columns(), Missing.SKIP, Unseen.ERROR).at(model.place());
    grid.writer()
        .map(
            inputs,
            added,
            (count, columns, results) -> {
              double[] ones = new double[count];
              Arrays.fill(ones, 1);
              Prediction p = model.predict(Models.points(count, columns, d), of, ones);
              for (int i = 0; i < count; i++) {
                results[0][i] = p.mean(i);
                results[1][i] = p.deviation(i);
                results[2][i] = p.quantileAt(i, below);
                results[3][i] = p.quantileAt(i, above);
                results[4][i] = p.outside(i) ? 1 : 0;
              }
              rows.add(count);
            },
            out,
            OutputStream.nullOutputStream());
    return rows.sum();
  }
}
