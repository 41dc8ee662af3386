package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import lovelace.data.Place;
import lovelace.maps.Crs;
import lovelace.maps.Raster;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBReadableVector;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/// A column whose values come from a raster, at the places of a table's rows.
///
/// @param name of the column
/// @param place the columns of coordinates, and their system
/// @param of the system of the places; null if they and the raster share a plane of their own
record RasterColumn(String name, Place place, @Nullable Crs of, Raster raster, int band)
    implements AutoCloseable {

  private static final AtomicInteger FUNCTIONS = new AtomicInteger();

  /// Opens the raster of a column.
  ///
  /// @throws IllegalArgumentException if places cannot be found on it
  static RasterColumn open(String name, Path file, Place place) throws IOException {
    boolean local = place.system().equals("local");
    Crs of = local ? null : Crs.parse(place.system());
    Raster raster = Raster.open(file, Optional.ofNullable(of));
    try {
      if (local && !raster.system().isEmpty())
        throw new IllegalArgumentException(
            "the raster '%s' is in the coordinate system '%s', but the system of the coordinates '%s' and '%s' is not known; name it with --crs when you fit"
                .formatted(file, raster.system(), place.east(), place.north()));
      if (of != null) raster.requireWay(of);
      return new RasterColumn(name, place, of, raster, raster.band(name));
    } catch (RuntimeException e) {
      raster.close();
      throw e;
    }
  }

  /// The option that asked for it, for messages.
  String option() {
    return "--drift %s=%s".formatted(name, raster.file());
  }

  /// Registers the values as a function of SQL.
  ///
  /// @return the SQL of a row's value
  String register(DuckDBConnection connection) throws SQLException {
    String function = "lovelace_raster_" + FUNCTIONS.incrementAndGet();
    DuckDBFunctions.scalarFunction()
        .withName(function)
        .withParameter(DuckDBColumnType.DOUBLE)
        .withParameter(DuckDBColumnType.DOUBLE)
        .withReturnType(DuckDBColumnType.DOUBLE)
        .withVectorizedFunction(this::values)
        .register(connection);
    return "%s(try_cast(t.%s as double), try_cast(t.%s as double))"
        .formatted(function, quoted(place.east()), quoted(place.north()));
  }

  private void values(DuckDBDataChunkReader in, DuckDBWritableVector out) {
    int count = Math.toIntExact(in.rowCount());
    double[] xy = new double[2 * count];
    for (int k = 0; k < 2; k++) {
      DuckDBReadableVector vector = in.vector(k);
      for (int i = 0; i < count; i++)
        xy[2 * i + k] = vector.isNull(i) ? Double.NaN : vector.getDouble(i);
    }
    double[] values;
    try {
      values = raster.sample(band, of, xy);
    } catch (IOException | IllegalArgumentException e) {
      throw new DuckDBFunctions.FunctionException(String.valueOf(e.getMessage()));
    }
    for (int i = 0; i < count; i++)
      if (Double.isNaN(values[i])) out.setNull(i);
      else out.setDouble(i, values[i]);
  }

  /// Says why a row without a value cannot be used. The text follows the column's name.
  ///
  /// @param east the row's coordinate, as the table has it
  String refusal(String east, String north) {
    return "has no value in the raster '%s' at %s %s, %s %s; correct the place, take a raster that covers it, or pass --missing skip"
        .formatted(raster.file(), place.east(), east, place.north(), north);
  }

  @Override
  public void close() throws IOException {
    raster.close();
  }
}
