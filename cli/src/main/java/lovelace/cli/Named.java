package lovelace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import lovelace.maps.Crs;
import lovelace.maps.Raster;

/// Messages that begin with the option they are about.
final class Named {

  private Named() {}

  /// Makes a value from an option. Errors begin with the option's name, and contain it only once:
  /// `port must …` becomes `--port must …`.
  static <T> T of(String option, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw of(option, e);
    }
  }

  /// Runs a check of an option.
  static void check(String option, Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      throw of(option, e);
    }
  }

  /// Fails if the number of an option lies outside a range.
  static void within(String option, long value, long low, long high, String usual) {
    if (value < low || value > high)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must lie between %,d and %,d, got %d; %s",
              option,
              low,
              high,
              value,
              usual));
  }

  /// Opens the raster that an option names.
  ///
  /// @param known the system that the raster may name by a code
  static Raster raster(String option, Path file, Optional<Crs> known) throws IOException {
    if (Files.notExists(file))
      throw new IllegalArgumentException(
          "%s: there is no raster '%s'; name a GeoTIFF, or an ESRI ASCII grid that ends in .asc"
              .formatted(option, file));
    try {
      return Raster.open(file, known);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(option, e.getMessage()), e);
    }
  }

  private static IllegalArgumentException of(String option, IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    String name = option.replaceFirst("^--", "").replace('-', ' ');
    return new IllegalArgumentException(
        message.startsWith(name + " must ")
            ? option + message.substring(name.length())
            : option + ": " + message,
        e);
  }
}
