package lovelace.forecast;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;

/// How the table was written from which a file of forecasts comes, so that results and more rows
/// can be written in the same way.
///
/// @param ids the names of the columns that tell series apart
/// @param idTypes the types of these columns in the language of the program that read the table
/// @param time the name of the column of times
/// @param timeType the type of that column
/// @param target the name of the column of values
/// @param form how times are written
/// @param frequency the steps of most series
public record StoredTable(
    List<String> ids,
    List<String> idTypes,
    String time,
    String timeType,
    String target,
    TimeForm form,
    Frequency frequency) {

  /// Series that come from no table: ids are `unique_id`, and times count steps.
  public static final StoredTable PLAIN =
      new StoredTable(
          List.of("unique_id"),
          List.of("VARCHAR"),
          "ds",
          "BIGINT",
          "y",
          TimeForm.numbers(),
          Frequency.through(
              Moment.of(BigDecimal.ZERO), Frequency.Unit.NUMBER, 1, Optional.empty()));

  public StoredTable {
    ids = List.copyOf(ids);
    idTypes = List.copyOf(idTypes);
    if (ids.size() != idTypes.size())
      throw new IllegalArgumentException(
          "there are %s columns of ids and %s types".formatted(ids.size(), idTypes.size()));
  }
}
