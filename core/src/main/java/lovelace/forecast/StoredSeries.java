package lovelace.forecast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import lovelace.forecast.time.Frequency;
import org.jspecify.annotations.Nullable;

/// A series with its place in a table.
///
/// @param ids its words in the columns of ids; null where a table has none
/// @param steps where its steps lie
/// @param first the number of the step of its first value
/// @param values its values
public record StoredSeries(
    List<@Nullable String> ids, Frequency steps, long first, TimeSeries values) {

  // Not compact: a compact constructor would lose the annotation of the words for other modules.
  public StoredSeries(List<@Nullable String> ids, Frequency steps, long first, TimeSeries values) {
    this.ids = Collections.unmodifiableList(new ArrayList<>(ids));
    this.steps = steps;
    this.first = first;
    this.values = values;
  }

  /// A series that comes from no table.
  static StoredSeries plain(TimeSeries values) {
    return new StoredSeries(List.of(values.id()), StoredTable.PLAIN.frequency(), 0, values);
  }

  /// The number of the step after the last value.
  public long end() {
    return first + values.size();
  }

  /// The same series with values that follow the last one.
  StoredSeries then(TimeSeries more) {
    return new StoredSeries(ids, steps, first, values.then(more));
  }

  /// The same series with values that begin at a step, which is not before the end. Steps between
  /// are gaps.
  public StoredSeries then(long from, TimeSeries more) {
    if (from < end())
      throw new IllegalArgumentException(
          "series '%s' ends at step %s, and more values begin at step %s; leave out those before its end"
              .formatted(values.id(), end() - 1, from));
    if (values.size() == 0) return new StoredSeries(ids, steps, from, more);
    return new StoredSeries(ids, steps, first, values.then(Math.toIntExact(from - end()), more));
  }
}
