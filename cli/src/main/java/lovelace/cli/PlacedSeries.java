package lovelace.cli;

import java.util.ArrayList;
import java.util.List;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Frequency;

/// One series of a table on the steps of its frequency.
///
/// @param number of the series
/// @param values its values; none if it has no forecast
/// @param steps where its steps lie
/// @param first the number of the step of the first value
/// @param gaps how many steps between the first and the last value have none
/// @param duplicates how many rows have the time of another
/// @param remarks about it, for people
record PlacedSeries(
    int number,
    TimeSeries values,
    Frequency steps,
    long first,
    long gaps,
    long duplicates,
    List<String> remarks) {

  PlacedSeries {
    remarks = List.copyOf(remarks);
  }

  /// The number of the step after the last value.
  long end() {
    return first + values.size();
  }

  /// The same series with one more remark.
  PlacedSeries with(String remark) {
    List<String> more = new ArrayList<>(remarks);
    more.add(remark);
    return new PlacedSeries(number, values, steps, first, gaps, duplicates, more);
  }

  /// No values, and so no forecast, for a reason.
  PlacedSeries without(String remark) {
    return before(Long.MIN_VALUE, remark);
  }

  /// The same series up to some step, which is left out.
  PlacedSeries before(long step, String remark) {
    TimeSeries cut = values.first(Math.toIntExact(Math.clamp(step, first, end()) - first));
    return new PlacedSeries(number, cut, steps, first, gaps, duplicates, remarks).with(remark);
  }
}
