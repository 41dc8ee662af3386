package lovelace.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import lovelace.cli.KnownColumns.Known;
import lovelace.forecast.Columns;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Moment;

/// The columns of one series on its steps, from its first value to the end of the horizon.
///
/// A value is the mean of the rows of its time in the table, or else that of the future. If a
/// column is missing at a step of the history, the value of that step counts as missing too: its
/// price is not known. From the last value on every column must be there.
final class KnownSteps {

  private final PlacedSeries series;
  private final int size;
  private final int needed; // rows that must be known
  private final int rows;
  private final boolean zeros;
  private final boolean whole; // all columns lie within the series
  private final List<String> names = new ArrayList<>();
  private final List<double[]> columns = new ArrayList<>();
  private final boolean[] unknown;
  private final List<String> remarks = new ArrayList<>();
  private Optional<String> refusal = Optional.empty();

  /// Names and values, to find series whose columns are alike.
  @SuppressWarnings("ArrayRecordComponent")
  record Key(List<String> names, double[][] values) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key
          && key.names.equals(names)
          && Arrays.deepEquals(key.values, values);
    }

    @Override
    public int hashCode() {
      return 31 * names.hashCode() + Arrays.deepHashCode(values);
    }
  }

  KnownSteps(PlacedSeries series, int lead, int horizon, int ahead, boolean zeros) {
    this.series = series;
    this.zeros = zeros;
    size = series.values().size();
    needed = size + (horizon == 0 ? 0 : lead + horizon);
    rows = Math.max(needed, size + ahead);
    whole = horizon == 0;
    unknown = new boolean[size];
  }

  /// The number of steps with columns.
  int rows() {
    return rows;
  }

  /// Why the series cannot be forecast; empty if it can.
  Optional<String> refusal() {
    return refusal;
  }

  /// Adds holidays.
  void add(SeriesHolidays.Found holidays) {
    names.addAll(holidays.names());
    columns.addAll(holidays.columns());
  }

  /// Adds the columns of a table.
  void add(KnownTable table, List<KnownTable.Values> all) {
    int[] at = places(table.moments());
    List<Known> known = table.columns().columns();
    for (int j = 0; j < known.size() && refusal.isEmpty(); j++) {
      Known column = known.get(j);
      int width = column.isText() ? column.words().size() : 1;
      double[][] sums = new double[width][needed];
      double[] counts = new double[needed];
      double[] word = new double[needed];
      for (boolean plan : new boolean[] {false, true}) {
        boolean[] before = new boolean[needed];
        for (int t = 0; t < needed; t++) before[t] = counts[t] > 0;
        for (KnownTable.Values values : all)
          for (int i = 0; i < values.times().length; i++) {
            int t = at[values.times()[i]];
            double v = values.values()[j][i];
            if (t < 0 || values.plan()[i] != plan || before[t] || Double.isNaN(v)) continue;
            counts[t]++;
            word[t] = v;
            if (column.isText()) sums[(int) v][t]++;
            else sums[0][t] += v;
          }
      }
      for (double[] sum : sums) for (int t = 0; t < needed; t++) sum[t] /= counts[t];
      refusal = refusal(table, j, counts, word);
      if (refusal.isEmpty()) fill(column, counts, sums);
    }
  }

  /// The steps of the times of a table; −1 outside.
  private int[] places(List<Moment> moments) {
    int[] at = new int[moments.size()];
    Arrays.fill(at, -1);
    Moment from = series.steps().at(series.first());
    Moment to = series.steps().at(series.first() + needed - 1);
    for (int i = 0; i < at.length; i++) {
      Moment moment = moments.get(i);
      if (moment.compareTo(from) < 0 || moment.compareTo(to) > 0) continue;
      long step = series.steps().floor(moment);
      if (series.steps().at(step).equals(moment)) at[i] = Math.toIntExact(step - series.first());
    }
    return at;
  }

  /// Names the first step that is not known from the last value on.
  private Optional<String> refusal(KnownTable table, int j, double[] counts, double[] word) {
    if (whole) return Optional.empty();
    Known column = table.columns().columns().get(j);
    int missing = 0;
    int first = -1;
    for (int t = size - 1; t < needed; t++) {
      if (counts[t] > 0 && column.isText() && t >= size && !table.isSeen(j, (int) word[t]))
        return Optional.of(
            "column '%s' is '%s' at %s, a word that no history has, so no forecast; write one of %s, or leave the column out with --covariates"
                .formatted(
                    column.name(),
                    column.words().get((int) word[t]),
                    time(table, t),
                    seen(table, j)));
      if (counts[t] > 0) continue;
      if (first < 0) first = t;
      missing++;
    }
    if (missing == 0) return Optional.empty();
    String known = first == size - 1 ? "the last value" : "the horizon";
    return Optional.of(
        String.format(
            Locale.ROOT,
            "column '%s' has no value at %s%s, and all steps of %s must have one, so no forecast; add %s to '%s'",
            column.name(),
            time(table, first),
            missing == 1 ? "" : String.format(Locale.ROOT, " and %,d more", missing - 1),
            first == size - 1 ? known + " and the horizon" : known,
            missing == 1 ? "it" : "them",
            table.source()));
  }

  private static String seen(KnownTable table, int j) {
    List<String> words = table.columns().columns().get(j).words();
    List<String> some = new ArrayList<>();
    for (int w = 0; w < words.size(); w++)
      if (table.isSeen(j, w)) some.add("'" + words.get(w) + "'");
    return String.join(", ", some);
  }

  private String time(KnownTable table, int step) {
    return table.format(series.steps().at(series.first() + step));
  }

  /// Fills steps that are not known, and adds the column, or a column for each word.
  private void fill(Known column, double[] counts, double[][] sums) {
    int missing = 0;
    for (int t = 0; t < size; t++) {
      if (counts[t] > 0 || (Double.isNaN(series.values().value(t)) && !zeros)) continue;
      missing++;
      if (!zeros) unknown[t] = true;
    }
    if (missing > 0)
      remarks.add(
          String.format(
              Locale.ROOT,
              zeros
                  ? "column '%s' has no value at %,d %s, where the last one before counts"
                  : "column '%s' has no value at %,d %s, whose values do not count",
              column.name(),
              missing,
              missing == 1 ? "step" : "steps"));
    boolean changes = false;
    for (int w = 0; w < sums.length; w++) {
      double[] filled = filled(sums[w], counts);
      boolean varies = false;
      for (int t = 1; t < size; t++) varies |= filled[t] != filled[0];
      changes |= varies;
      if (column.isText() && w == 0) continue; // the usual word is the level
      if (!varies && (!column.isText() || Arrays.stream(filled).noneMatch(v -> v != 0))) continue;
      if (!varies && column.isText() && filled[0] == 0)
        remarks.add(
            "column '%s' is never '%s' in the history, so the effect of that is not known"
                .formatted(column.name(), column.words().get(w)));
      if (!varies) continue;
      names.add(column.isText() ? column.name() + "=" + column.words().get(w) : column.name());
      columns.add(filled);
    }
    if (!changes)
      remarks.add(
          "column '%s' does not change in the history, so its effect is not known and it is left out"
              .formatted(column.name()));
  }

  /// All rows, with the last known value, or else the first one, where there is none.
  private double[] filled(double[] values, double... counts) {
    double[] filled = new double[rows];
    int first = 0;
    while (first < needed && counts[first] == 0) first++;
    double last = first < needed ? values[first] : 0;
    for (int t = 0; t < rows; t++) {
      if (t < needed && counts[t] > 0) last = values[t];
      filled[t] = last;
    }
    return filled;
  }

  /// The series with its columns. Those that are alike become one.
  PlacedSeries placed(Map<Key, Columns> alike) {
    double[] values = series.values().values();
    for (int t = 0; t < size; t++) if (unknown[t]) values[t] = Double.NaN;
    int lead = 0;
    while (lead < size && Double.isNaN(values[lead])) lead++;
    TimeSeries with = TimeSeries.of(series.values().id(), values);
    if (!columns.isEmpty() && with.size() > 0) {
      int from = lead;
      double[][] own =
          columns.stream()
              .map(column -> Arrays.copyOfRange(column, from, column.length))
              .toArray(double[][]::new);
      with =
          with.with(
              alike.computeIfAbsent(
                  new Key(List.copyOf(names), own), key -> Columns.of(key.names(), key.values())));
    }
    if (with.size() == 0) remarks.add("no value has its columns, so no forecast");
    return SeriesKnown.with(series, with, series.first() + lead, remarks);
  }
}
