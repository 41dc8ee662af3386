package lovelace.spark;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import lovelace.forecast.Bands;
import lovelace.forecast.Forecast;
import lovelace.forecast.PlacedRows;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/// Forecasts the series of a partition, some hundred at a time: series that are forecast together
/// share the work for their processes.
final class ForecastScoring implements Serializable {

  private static final long serialVersionUID = 1;

  /// How many series are forecast together, and about how many values they may have.
  private static final int TOGETHER = 500;

  private static final long VALUES = 5_000_000;

  private final Broadcast<ShippedForecaster> sent;
  private final int ids;
  private final double[] levels;

  ForecastScoring(Broadcast<ShippedForecaster> sent, int ids, double... levels) {
    this.sent = sent;
    this.ids = ids;
    this.levels = levels.clone();
  }

  private PlacedRows place(Row series) {
    ShippedForecaster.Read read = sent.value().read();
    return PlacedRows.of(
        SeriesFrame.name(series, ids),
        SeriesFrame.read(series, ids, read.table().form()),
        read.table().frequency(),
        read.table().form(),
        read.model().options().bounds());
  }

  private Object[] begin(Row series, int more) {
    Object[] row = new Object[ids + more];
    for (int i = 0; i < ids; i++) row[i] = series.get(i);
    return row;
  }

  /// The forecasts of the series of a partition.
  MapPartitionsFunction<Row, Row> forecasts() {
    return series ->
        new Iterator<>() {
          private final Deque<Row> made = new ArrayDeque<>();

          @Override
          public boolean hasNext() {
            while (made.isEmpty() && series.hasNext()) made.addAll(some(series));
            return !made.isEmpty();
          }

          @Override
          public Row next() {
            if (!hasNext()) throw new NoSuchElementException();
            return made.removeFirst();
          }
        };
  }

  private List<Row> some(Iterator<Row> series) {
    List<Row> rows = new ArrayList<>();
    List<PlacedRows> placed = new ArrayList<>();
    long values = 0;
    while (rows.size() < TOGETHER && values < VALUES && series.hasNext()) {
      Row next = series.next();
      PlacedRows each = place(next);
      rows.add(next);
      placed.add(each);
      values += each.values().size();
    }
    ShippedForecaster.Read read = sent.value().read();
    Bands bands = Bands.of(levels);
    List<Forecast> forecasts =
        read.model().forecast(placed.stream().map(PlacedRows::values).toList());
    List<Row> made = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Forecast forecast = forecasts.get(i);
      if (forecast.kind() == Forecast.Kind.NONE) continue;
      PlacedRows each = placed.get(i);
      for (int k = 0; k < forecast.horizon(); k++) {
        double[] numbers = bands.at(forecast, k);
        Object[] row = begin(rows.get(i), 1 + numbers.length);
        row[ids] = read.table().form().format(each.steps().at(each.end() + k));
        for (int c = 0; c < numbers.length; c++) row[ids + 1 + c] = numbers[c];
        made.add(RowFactory.create(row));
      }
    }
    return made;
  }

  /// A line on each series of a partition.
  MapPartitionsFunction<Row, Row> report() {
    return series ->
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return series.hasNext();
          }

          @Override
          public Row next() {
            Row from = series.next();
            PlacedRows each = place(from);
            Object[] row = begin(from, 4);
            row[ids] = each.values().size() - each.values().gaps();
            row[ids + 1] = each.values().gaps();
            row[ids + 2] = each.duplicates();
            row[ids + 3] = String.join("; ", each.remarks());
            return RowFactory.create(row);
          }
        };
  }
}
