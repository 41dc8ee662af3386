package lovelace.cli;

import java.nio.file.Path;
import java.util.Optional;
import lovelace.plot.Picture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option that asks for a picture of series and their forecasts.
final class SeriesPlot {

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description =
          "Also draw the series and their forecasts. .html is a page that needs no network: it "
              + "shows thousands of series to search and sort, and one of them large. .png and "
              + ".svg show the first twelve.")
  private @Nullable Path file;

  /// Refuses wrong values before any work is done.
  void check() {
    Path picture = file;
    if (picture == null) return;
    Named.check("--plot", () -> Picture.check(picture));
    Output.checkFolder("--plot", picture);
  }

  /// The file to write.
  Optional<Path> file() {
    return Optional.ofNullable(file);
  }
}
