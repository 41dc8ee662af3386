package lovelace.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Inference;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;

/// The rows of one series of a table, put on its steps.
///
/// @param values the series; without values if it cannot be forecast, and remarks say why
/// @param steps where they lie
/// @param first the number of the step of the first value
/// @param duplicates the rows that share their time with another
/// @param remarks on its rows, in words
public record PlacedRows(
    TimeSeries values, Frequency steps, long first, int duplicates, List<String> remarks) {

  /// The last steps that are kept of a series.
  private static final int MOST = 100_000;

  /// A row: its time, and its value or NaN.
  public record Value(Moment moment, double value) {}

  public PlacedRows {
    remarks = List.copyOf(remarks);
  }

  /// The number of the step after the last value.
  public long end() {
    return first + values.size();
  }

  /// Puts rows on steps, as the command does: rows of one time count as their mean, infinite values
  /// are missing, and a series on other steps of the same length keeps them.
  ///
  /// @param given in any order
  /// @param frequency the steps of most series
  /// @param bounds of the values, none or two
  public static PlacedRows of(
      String id, List<Value> given, Frequency frequency, TimeForm form, double... bounds) {
    List<Value> rows = new ArrayList<>(given);
    rows.sort(Comparator.comparing(Value::moment).thenComparingDouble(Value::value));
    List<String> remarks = new ArrayList<>();
    List<Moment> moments = new ArrayList<>();
    double[] values = new double[rows.size()];
    long infinite = 0;
    for (int i = 0; i < rows.size(); ) {
      Moment moment = rows.get(i).moment();
      double sum = 0;
      int there = 0;
      for (; i < rows.size() && rows.get(i).moment().equals(moment); i++) {
        double value = rows.get(i).value();
        if (Double.isInfinite(value)) infinite++;
        if (!Double.isFinite(value)) continue;
        sum += value;
        there++;
      }
      values[moments.size()] = there == 0 ? Double.NaN : sum / there;
      moments.add(moment);
    }
    int duplicates = rows.size() - moments.size();
    if (duplicates > 0)
      remarks.add(
          duplicates
              + (duplicates == 1 ? " row has" : " rows have")
              + " the time of another; the mean of such rows counts");
    if (infinite > 0)
      remarks.add(
          infinite
              + (infinite == 1
                  ? " value is infinite, and counts"
                  : " values are infinite, and count")
              + " as missing");
    int from = 0;
    int to = moments.size();
    while (from < to && Double.isNaN(values[from])) from++;
    while (from < to && Double.isNaN(values[to - 1])) to--;
    if (from == to) return none(id, frequency, duplicates, remarks, "no values, so no forecast");
    long outside =
        Arrays.stream(values, from, to)
            .filter(v -> bounds.length == 2 && (v < bounds[0] || v > bounds[1]))
            .count();
    if (outside > 0)
      return none(
          id,
          frequency,
          duplicates,
          remarks,
          outside + " values lie outside the bounds of all values, so no forecast");
    List<Moment> seen = moments.subList(from, to);
    Optional<Frequency> steps = Optional.of(frequency);
    if (!seen.stream().allMatch(frequency::holds)) {
      Inference elsewhere = frequency.onto(seen, form);
      if (elsewhere.frequency().isEmpty())
        return none(id, frequency, duplicates, remarks, elsewhere.reason() + "; so no forecast");
      steps = elsewhere.frequency();
    }
    Frequency own = steps.get();
    long last = own.index(seen.getLast());
    long first = Math.max(own.index(seen.getFirst()), last - MOST + 1);
    double[] line = new double[Math.toIntExact(last - first + 1)];
    Arrays.fill(line, Double.NaN);
    for (int i = 0; i < seen.size(); i++) {
      long at = own.index(seen.get(i));
      if (at >= first) line[Math.toIntExact(at - first)] = values[from + i];
    }
    int lead = 0;
    while (Double.isNaN(line[lead])) lead++;
    return new PlacedRows(TimeSeries.of(id, line), own, first + lead, duplicates, remarks);
  }

  private static PlacedRows none(
      String id, Frequency frequency, int duplicates, List<String> remarks, String why) {
    remarks.add(why);
    return new PlacedRows(TimeSeries.of(id), frequency, 0, duplicates, remarks);
  }
}
