package lovelace.survey;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Outside;
import lovelace.grid.ColumnValues;
import lovelace.io.Fingerprint;
import lovelace.laplace.Window;
import lovelace.source.Source;

/// Events of a window, counted cell by cell. The array is not copied: read only.
public final class Events {
  private final double[] counts;
  private final long number;
  private final long fingerprint;

  private Events(double[] counts, long number, long fingerprint) {
    this.counts = counts;
    this.number = number;
    this.fingerprint = fingerprint;
  }

  /// The events of each cell.
  public double[] counts() {
    return counts;
  }

  /// The number of events.
  public long number() {
    return number;
  }

  public long fingerprint() {
    return fingerprint;
  }

  /// Receives an event. Its place starts at `x[from]`, and rows are numbered from 1.
  private interface Event {
    void accept(double[] x, int from, double count, long row);
  }

  /// Counts the events of a window. Those outside are refused or left out.
  public static Events of(Source source, Window window, Outside outside) throws IOException {
    int d = window.dimensions();
    double[] counts = new double[window.size()];
    Fingerprint print = new Fingerprint();
    long[] number = {0};
    each(
        source,
        (x, from, count, row) -> {
          int column = window.outsideColumn(x, from);
          if (column >= 0 && outside == Outside.ERROR)
            throw outside(source, window, column, x[from + column], row);
          if (column >= 0) return;
          counts[window.cell(x, from)] += count;
          number[0] += (long) count;
          print.add(x, from, d, count, 1);
        });
    if (number[0] == 0)
      throw new IllegalArgumentException(
          "no event lies in the window, %s; widen its bounds, or check the rows"
              .formatted(window.text(source.columns())));
    return new Events(counts, number[0], print.value());
  }

  /// Facts about events before they are counted. Arrays are not copied: read only.
  public static final class Range {
    private final double[] low;
    private final double[] high;
    private final double[] spacings;

    private Range(double[] low, double[] high, double[] spacings) {
      this.low = low;
      this.high = high;
      this.spacings = spacings;
    }

    /// The smallest value in each column.
    public double[] low() {
      return low;
    }

    /// The largest value in each column.
    public double[] high() {
      return high;
    }

    /// The spacings of their values, 0 if these are not equally spaced.
    public double[] spacings() {
      return spacings;
    }

    public static Range of(Source source) throws IOException {
      int d = source.columns().size();
      List<ColumnValues> values = new ArrayList<>();
      for (int j = 0; j < d; j++) values.add(new ColumnValues());
      double[] low = new double[d];
      double[] high = new double[d];
      Arrays.fill(low, Double.POSITIVE_INFINITY);
      Arrays.fill(high, Double.NEGATIVE_INFINITY);
      each(
          source,
          (x, from, count, row) -> {
            for (int j = 0; j < d; j++) {
              double value = x[from + j];
              low[j] = Math.min(low[j], value);
              high[j] = Math.max(high[j], value);
              values.get(j).add(value, row);
            }
          });
      double[] spacings = new double[d];
      for (int j = 0; j < d; j++) {
        ColumnValues.Nodes nodes = low[j] < high[j] ? values.get(j).nodes() : null;
        spacings[j] = nodes == null ? 0 : nodes.step();
      }
      return new Range(low, high, spacings);
    }
  }

  private static void each(Source source, Event event) throws IOException {
    int d = source.columns().size();
    long[] before = {0};
    source.read(
        (rows, x, y, sizes) -> {
          Budget.check();
          if (sizes.isPresent())
            throw new IllegalArgumentException(
                "events have no weights; leave them out, or repeat the rows of events that count more");
          for (int i = 0; i < rows; i++) {
            long row = before[0] + i + 1;
            if (!(y[i] >= 1 && y[i] == Math.rint(y[i]) && y[i] < 1e15))
              throw new IllegalArgumentException(
                  String.format(
                      Locale.ROOT,
                      "row %,d (data rows count from 1): target '%s' is %s, and the target of an event is how often it happened, 1 or more; leave the intensity out to learn the target",
                      row,
                      source.target().name(),
                      y[i]));
            event.accept(x, i * d, y[i], row);
          }
          before[0] += rows;
        });
  }

  private static IllegalArgumentException outside(
      Source source, Window window, int column, double value, long row) {
    Column of = source.columns().get(column);
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d (data rows count from 1): '%s' is %s, outside the window from %s to %s; widen the bounds, or skip events outside them",
            row,
            of.name(),
            of.format(value),
            of.format(window.low(column)),
            of.format(window.high(column))));
  }
}
