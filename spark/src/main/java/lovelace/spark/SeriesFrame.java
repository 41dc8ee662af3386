package lovelace.spark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.date_format;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.md5;
import static org.apache.spark.sql.functions.struct;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import lovelace.forecast.PlacedRows;
import lovelace.forecast.time.TimeForm;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/// A data set with a row for each series: its ids, and its rows as an array of times and values.
final class SeriesFrame {

  /// The column with the rows of a series: structures of a text and a number.
  private static final String ROWS = "lovelace_rows";

  private static final String HASH = "lovelace_hash";

  private SeriesFrame() {}

  /// Refuses a schema that lacks a column, or has one of a wrong type.
  static void require(StructType schema, ForecastParams<?> params) {
    for (String id : params.getIdCols()) type(schema, id, "idCols");
    DataType time = type(schema, params.getTimeCol(), "timeCol");
    if (!(time instanceof NumericType
        || time.equals(DataTypes.StringType)
        || time.equals(DataTypes.DateType)
        || time.equals(DataTypes.TimestampType)
        || time.equals(DataTypes.TimestampNTZType)))
      throw new IllegalArgumentException(
          "timeCol: column '%s' is %s, not a time; cast it to a date, a timestamp, a number or text"
              .formatted(params.getTimeCol(), time.simpleString()));
    Schemas.requireNumber(schema, params.getTargetCol(), "targetCol");
  }

  private static DataType type(StructType schema, String name, String param) {
    if (!List.of(schema.fieldNames()).contains(name))
      throw new IllegalArgumentException(
          "%s: there is no column '%s'; there are %s"
              .formatted(param, name, String.join(", ", schema.fieldNames())));
    return schema.apply(name).dataType();
  }

  /// The series of a data set.
  static Dataset<Row> of(Dataset<?> data, ForecastParams<?> params) {
    Column[] ids = ids(data, params);
    DataType type = data.schema().apply(params.getTimeCol()).dataType();
    Column time = data.col(Schemas.quoted(params.getTimeCol()));
    // with the offset, so that hours that clocks show twice stay apart
    Column text =
        type.equals(DataTypes.TimestampType)
            ? date_format(time, "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX")
            : time.cast("string");
    Column value = Schemas.number(data, params.getTargetCol());
    return data.toDF()
        .groupBy(ids)
        .agg(collect_list(struct(text.as("time"), value.as("value"))).as(ROWS));
  }

  private static Column[] ids(Dataset<?> data, ForecastParams<?> params) {
    return Stream.of(params.getIdCols())
        .map(name -> data.col(Schemas.quoted(name)))
        .toArray(Column[]::new);
  }

  /// At most some series, chosen by a hash of their ids as the command chooses them, in the order
  /// of the hash.
  static List<Row> sample(Dataset<Row> series, ForecastParams<?> params, int most) {
    Column[] texts =
        Stream.of(params.getIdCols())
            .map(name -> coalesce(col(Schemas.quoted(name)).cast("string"), lit("")))
            .toArray(Column[]::new);
    return series
        .withColumn(HASH, md5(concat_ws("|", texts)))
        .orderBy(HASH)
        .limit(most)
        .drop(HASH)
        .collectAsList();
  }

  /// The name of a series: its ids.
  static String name(Row series, int ids) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < ids; i++) words.add(series.isNullAt(i) ? "" : series.get(i).toString());
    return String.join(", ", words);
  }

  /// The times of a series as they are written. A row without a time is refused.
  static List<String> times(Row series, int ids) {
    List<String> times = new ArrayList<>();
    for (Row row : rows(series, ids)) {
      if (row.isNullAt(0))
        throw new IllegalArgumentException(
            "series '%s' has a row without a time; give it one, or filter such rows out"
                .formatted(name(series, ids)));
      times.add(row.getString(0));
    }
    return times;
  }

  /// The values of a series, NaN where there is none.
  static double[] values(Row series, int ids) {
    return rows(series, ids).stream().mapToDouble(row -> row.getDouble(1)).toArray();
  }

  private static List<Row> rows(Row series, int ids) {
    return CollectionConverters.asJava(series.<Row>getSeq(ids));
  }

  /// The rows of a series whose times have a form.
  static List<PlacedRows.Value> read(Row series, int ids, TimeForm form) {
    List<String> times = times(series, ids);
    double[] values = values(series, ids);
    List<PlacedRows.Value> all = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      try {
        all.add(new PlacedRows.Value(form.parse(times.get(i)), values[i]));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "series '%s', a time: %s".formatted(name(series, ids), e.getMessage()), e);
      }
    }
    return all;
  }
}
