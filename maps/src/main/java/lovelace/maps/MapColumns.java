package lovelace.maps;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Place;
import org.jspecify.annotations.Nullable;

/// The roles of a model's columns on a map: two coordinates, perhaps a time, and covariates.
///
/// @param east the position of the column that runs east
/// @param north the position of the column that runs north
/// @param time the position of the column of times, −1 if there is none
/// @param covariates the positions of the columns that come from rasters
public record MapColumns(int east, int north, int time, List<Integer> covariates) {

  private static final Set<String> NORTHERN =
      Set.of("lat", "latitude", "north", "northing", "northings", "y");
  private static final Set<String> EASTERN =
      Set.of("lon", "lng", "long", "longitude", "east", "easting", "eastings", "x");

  /// Whether the names say that the first of two columns runs north and the second east.
  public static boolean isNorthFirst(String first, String second) {
    return NORTHERN.contains(first.toLowerCase(Locale.ROOT))
        && EASTERN.contains(second.toLowerCase(Locale.ROOT));
  }

  /// Finds the roles of a model's columns.
  public static MapColumns of(Model model, Set<String> given, boolean timed) {
    return of(model.columns(), model.place().orElse(null), given, timed);
  }

  /// Finds the roles of columns. Coordinates are those of the model's place. Otherwise they are the
  /// first two that are numbers and not covariates, in the order x, y unless their names say the
  /// reverse.
  ///
  /// @param place the model's place, null if it has none
  /// @param given the names of the columns that come from rasters
  /// @param timed whether a third column of numbers is a time
  /// @throws IllegalArgumentException if the model does not have two coordinates
  public static MapColumns of(
      List<Column> columns, @Nullable Place place, Set<String> given, boolean timed) {
    List<String> names = columns.stream().map(Column::name).toList();
    for (String name : given)
      if (!names.contains(name))
        throw new IllegalArgumentException(
            "the model has no column '%s'; its columns are %s"
                .formatted(name, String.join(", ", names)));
    for (Column column : columns)
      if (column.isText())
        throw new IllegalArgumentException(
            "a map needs two coordinates, but column '%s' holds words; fit two coordinates, and a time if there is one: --inputs %s"
                .formatted(column.name(), pair(columns, place)));
    List<Integer> free = new ArrayList<>();
    List<Integer> covariates = new ArrayList<>();
    for (int j = 0; j < columns.size(); j++)
      (given.contains(names.get(j)) ? covariates : free).add(j);
    int east;
    int north;
    if (place != null) {
      east = names.indexOf(place.east());
      north = names.indexOf(place.north());
    } else {
      int[] numbers =
          IntStream.range(0, columns.size())
              .filter(j -> free.contains(j) && columns.get(j).time().isEmpty())
              .limit(2)
              .toArray();
      if (numbers.length < 2)
        throw new IllegalArgumentException(
            "a map needs two coordinates, but the model's inputs are %s; fit a model of two columns of numbers"
                .formatted(String.join(", ", names)));
      boolean turned = isNorthFirst(names.get(numbers[0]), names.get(numbers[1]));
      east = numbers[turned ? 1 : 0];
      north = numbers[turned ? 0 : 1];
    }
    free.removeIf(
        j -> names.get(j).equals(names.get(east)) || names.get(j).equals(names.get(north)));
    int time = -1;
    for (int j : List.copyOf(free))
      if (columns.get(j).time().isPresent() && time < 0) {
        time = j;
        free.remove(Integer.valueOf(j));
      }
    if (time < 0 && free.size() == 1 && timed) time = free.removeFirst();
    if (!free.isEmpty()) {
      List<String> others = free.stream().map(j -> "'" + names.get(j) + "'").distinct().toList();
      throw new IllegalArgumentException(
          "a map needs two coordinates, but the model has %3$s besides '%1$s' and '%2$s'; fit only these two with --inputs %4$s, or give the values at every pixel as a raster with --drift %5$s=FILE.tif, or, for a time, give --times 0/10/1"
              .formatted(
                  names.get(east),
                  names.get(north),
                  String.join(", ", others),
                  pair(columns, place),
                  names.get(free.getFirst())));
    }
    return new MapColumns(east, north, time, List.copyOf(covariates));
  }

  /// The names of two coordinates, in the form of an option.
  private static String pair(List<Column> columns, @Nullable Place place) {
    if (place != null) return place.east() + "," + place.north();
    List<String> known =
        columns.stream()
            .map(Column::name)
            .filter(
                name ->
                    EASTERN.contains(name.toLowerCase(Locale.ROOT))
                        || NORTHERN.contains(name.toLowerCase(Locale.ROOT)))
            .toList();
    return known.size() == 2 ? String.join(",", known) : "EAST,NORTH";
  }
}
