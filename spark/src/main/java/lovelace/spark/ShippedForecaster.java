package lovelace.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import lovelace.forecast.ForecastFile;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.StoredTable;
import org.jspecify.annotations.Nullable;

/// A model of forecasts, and the form of its table, as the bytes of a file of forecasts without
/// series. It is read where it arrives, and only once there.
final class ShippedForecaster implements Serializable {

  private static final long serialVersionUID = 1;
  private final byte[] bytes;
  private transient volatile @Nullable Read read;

  /// The content of the bytes.
  record Read(ForecastModel model, StoredTable table) {}

  private ShippedForecaster(byte[] bytes) {
    this.bytes = bytes;
  }

  static ShippedForecaster of(ForecastModel model, StoredTable table) {
    return new ShippedForecaster(
        inFile(
            file -> {
              try (ForecastFile.Writer out = ForecastFile.create(file, model, table)) {
                out.finish();
              }
              return Files.readAllBytes(file);
            }));
  }

  /// Ships the bytes of a file. They are checked now.
  static ShippedForecaster of(byte[] bytes) {
    ShippedForecaster shipped = new ShippedForecaster(bytes.clone());
    shipped.read();
    return shipped;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  Read read() {
    Read known = read;
    if (known != null) return known;
    synchronized (this) {
      known = read;
      if (known == null)
        read =
            known =
                inFile(
                    path -> {
                      Files.write(path, bytes);
                      ForecastFile file = ForecastFile.open(path);
                      return new Read(file.model(), file.table());
                    });
      return known;
    }
  }

  private interface Work<T> {
    T with(Path file) throws IOException;
  }

  private static <T> T inFile(Work<T> work) {
    try {
      Path file = Files.createTempFile("lovelace", ".lvf");
      try {
        return work.with(file);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
