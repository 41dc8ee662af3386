package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Place;
import picocli.CommandLine.Option;

/// The option that says which columns of a model's drift come from rasters and not from the table.
final class CovariateOptions {

  @Option(
      names = "--drift",
      split = ",",
      paramLabel = "COLUMN=RASTER",
      description =
          "Read a column of the model's drift from a raster (GeoTIFF or .asc) at the "
              + "coordinates of each row, instead of from the table.")
  private Map<String, Path> drift = new LinkedHashMap<>();

  /// The names of the columns that come from rasters.
  List<String> columns() {
    return List.copyOf(drift.keySet());
  }

  /// Adds the columns that come from rasters to a table of rows for a model.
  void addTo(Table table, Model model) throws IOException {
    for (Map.Entry<String, Path> one : drift.entrySet()) {
      String option = "--drift %s=%s".formatted(one.getKey(), one.getValue());
      List<String> known =
          model.drift().stream()
              .map(Model.Coefficient::name)
              .filter(name -> model.columns().stream().map(Column::name).anyMatch(name::equals))
              .toList();
      if (!known.contains(one.getKey()))
        throw new IllegalArgumentException(
            known.isEmpty()
                ? option + ": the model's mean has no drift; leave it out"
                : "%s: the columns of the model's drift are %s; name one of them"
                    .formatted(option, String.join(", ", known)));
      add(table, option, one.getKey(), one.getValue(), place(option, model));
    }
  }

  private static Place place(String option, Model model) {
    return model
        .place()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    option
                        + ": the model does not know which inputs are coordinates; fit it with"
                        + " --crs, or give the values as a column"));
  }

  /// Adds a column that comes from a raster to a table.
  static void add(Table table, String option, String name, Path file, Place place)
      throws IOException {
    try {
      Relation.check(file);
      for (String column : List.of(place.east(), place.north())) table.field(column);
      table.add(RasterColumn.open(name, file, place));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }
}
