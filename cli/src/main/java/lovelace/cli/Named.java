package lovelace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import lovelace.maps.Crs;
import lovelace.maps.Raster;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Messages that name the option they are about.
final class Named {

  private Named() {}

  /// A value made of what an option says; whatever is wrong with it is told with the option's name.
  static <T> T of(String option, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw of(option, e);
    }
  }

  /// A check of what an option says.
  static void check(String option, Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      throw of(option, e);
    }
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
    return new IllegalArgumentException(option + ": " + e.getMessage(), e);
  }

  /// Reads the paths of all commands: an empty one, as of a variable that is not set, is a mistake.
  static final class PathConverter implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      if (text.isBlank()) throw new TypeConversionException("it is empty; name a file or folder");
      return Path.of(text);
    }
  }
}
