package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import lovelace.features.Additive;
import lovelace.features.Direction;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Observations;
import lovelace.model.Provenance.Note;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.planning.GridRule;
import lovelace.planning.LatticeChoice;
import lovelace.planning.Planner;
import lovelace.planning.Prices;
import lovelace.posterior.internal.MappedRows;
import lovelace.survey.FitData;
import lovelace.survey.Survey;
import lovelace.survey.TableRows;
import lovelace.tables.KernelChoice;
import lovelace.way.Learners;
import lovelace.way.Likeliest;
import lovelace.way.Ways;
import org.jspecify.annotations.Nullable;

/// Chooses the shape of a model: one grid, a sum of functions, or a function of learned features.
final class Shapes {

  /// The most columns of one grid unless nothing is learned.
  private static final int MOST_COLUMNS = 3;

  private Shapes() {}

  /// The largest distortion of distances that is not reported. Up to this distortion, a grid in
  /// degrees stays a grid.
  private static final double DISTORTION = 0.02;

  /// The number of rows with which a projection is chosen.
  private static final int PLACES = 10_000;

  /// The most rows that are held to choose a kernel. If there are more, only some of them are used.
  private static final int HELD = 1_000_000;

  /// The share of the time that choosing a kernel may take.
  private static final double CHOOSING = 0.3;

  /// The share of the time that learning a direction may take.
  private static final double TURNING = 0.3;

  /// The model of a fit.
  static Model model(FitData data) throws IOException {
    Options fit = data.fit();
    if (fit.place().isPresent() || fit.anisotropy().isPresent()) return placed(data);
    return plain(data);
  }

  /// The model of a fit with coordinates: on a plane, along its direction.
  private static Model placed(FitData asked) throws IOException {
    List<Column> columns = asked.source().columns();
    Place place = asked.fit().place().orElse(null);
    for (String name : place == null ? List.<String>of() : List.of(place.east(), place.north()))
      if (columns.stream().noneMatch(column -> column.name().equals(name)))
        return lost(asked, name);
    if (columns.size() < 2)
      throw new IllegalArgumentException(
          "a direction needs two inputs that vary, and only '%s' does; leave the anisotropy out"
              .formatted(columns.getFirst().name()));
    int east = place == null ? 0 : index(columns, place.east());
    int north = place == null ? 1 : index(columns, place.north());
    for (int j : new int[] {east, north})
      if (columns.get(j).isText() || columns.get(j).time().isPresent())
        throw new IllegalArgumentException(
            "column '%s' holds %s, and coordinates are numbers; name the columns of coordinates"
                .formatted(columns.get(j).name(), columns.get(j).isText() ? "words" : "dates"));
    if (asked.fit().shape() == Options.Shape.PROJECTION && (place == null || place.isGeographic()))
      throw new IllegalArgumentException(
          "a projection reads columns unchanged; use shape auto, grid or additive with coordinates");
    List<Note> notes = new ArrayList<>(asked.remarks());
    boolean degrees = place != null && place.isGeographic();
    if (degrees) requireDegrees(asked, east, north);
    KernelChoice choice = kernel(asked, place);
    FitData data = choice == null ? asked : asked.with(asked.fit().bound(choice.kernel()));
    if (choice != null) notes.add(new Note(Note.Kind.COMPARED, choice.text()));
    Options fit = data.fit();
    if (choice != null && data.survey().mayBeOwn(fit)) data.survey().readValues();
    PlaceMap map = null;
    if (place != null && degrees) {
      map = local(data, place, east, north);
      notes.add(new Note(Note.Kind.PLACE, place + ": " + map));
      if (map.distortion() > DISTORTION)
        notes.add(
            new Note(
                Note.Kind.ADVICE,
                String.format(
                    Locale.ROOT,
                    "the places are so far apart that their projection changes distances by up to %.2g %%; fit parts of the rows, or use coordinates of a projection made for the region",
                    100 * map.distortion())));
    } else if (place != null) notes.add(new Note(Note.Kind.PLACE, place + ": as they stand"));
    if (fit.anisotropy().isPresent()) map = turned(data, map, east, north, notes);
    FitData noted =
        new FitData(fit, data.source(), data.survey(), data.leftOut(), List.copyOf(notes));
    // lengthscales along other axes are not start values
    Hyperparameters start = choice == null || fit.anisotropy().isPresent() ? null : choice.start();
    if (map == null) return start == null ? plain(noted) : new FitRun(noted).placed(null, start);
    GridChoice grid = fit.grid().over(map, columns, data.survey().low(), data.survey().high());
    return new FitRun(noted.with(fit.withGrid(grid))).placed(map, start);
  }

  /// Chooses the kernel of a map if none was given; null if there is nothing to choose.
  private static @Nullable KernelChoice kernel(FitData data, @Nullable Place place)
      throws IOException {
    Options fit = data.fit();
    List<Column> columns = data.source().columns();
    boolean degrees = place != null && place.isGeographic();
    boolean named = fit.given().stream().anyMatch(given -> given.name().contains("."));
    boolean table = // such a table makes its own choice
        Planner.isWide(columns) && !degrees && fit.anisotropy().isEmpty();
    boolean one = fit.shape() == Options.Shape.AUTO || fit.shape() == Options.Shape.GRID;
    if (fit.hasKernel() || !fit.training() || named || table || !one) return null;
    Survey survey = data.survey();
    Dataset rows =
        survey.certainlyAtMost(HELD)
            ? TableRows.read(data.source(), Engine.EXACT, HELD, "")
            : survey.table(PLACES, data.source());
    PlaceMap map =
        place == null || !degrees
            ? null
            : PlaceMap.local(place, columns, rows.inputs(), false, Double.POSITIVE_INFINITY);
    Dataset seen = map == null ? rows : MappedRows.features(map, rows);
    fit.listener().accept(new Prices(fit, survey, Ways::costs).choosing());
    return Budget.current().share(CHOOSING).call(() -> likeliest(fit, seen));
  }

  private static KernelChoice likeliest(Options fit, Dataset rows) {
    if (fit.likelihood().isGaussian())
      return KernelChoice.of(
          fit.transform().apply(rows),
          kernel -> fit.bound(kernel).hyperparameters(rows.columns()),
          Learners.of(fit.learning()),
          fit.learning().seed());
    Observations all = Observations.of(rows, fit.likelihood());
    return Likeliest.of(
        fit, all, most -> Survey.starts(all.thinned(most), fit.likelihood()), rows.columns());
  }

  private static int index(List<Column> columns, String name) {
    for (int j = 0; j < columns.size(); j++) if (columns.get(j).name().equals(name)) return j;
    throw new AssertionError(name);
  }

  /// Fits without a place if a column of coordinates is missing or does not vary.
  private static Model lost(FitData data, String name) throws IOException {
    LeftOut constant =
        data.leftOut().stream()
            .filter(out -> out.column().name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no input '%s' for coordinates; the inputs are %s"
                            .formatted(
                                name,
                                data.source().columns().stream().map(Column::name).toList())));
    List<Note> notes = new ArrayList<>(data.remarks());
    notes.add(
        new Note(
            Note.Kind.PLACE,
            "%s in all rows, so they lie on a line: the other column is used unchanged"
                .formatted(constant)));
    return plain(
        new FitData(
            data.fit().withoutPlace(), data.source(), data.survey(), data.leftOut(), notes));
  }

  /// Refuses values that are not longitudes or latitudes.
  private static void requireDegrees(FitData data, int east, int north) throws IOException {
    double[] low = data.survey().low();
    double[] high = data.survey().high();
    String lon = data.source().columns().get(east).name();
    String lat = data.source().columns().get(north).name();
    boolean possible =
        low[north] >= -90 && high[north] <= 90 && low[east] >= -360 && high[east] <= 360;
    if (possible) return;
    double widest = Math.max(-low[north], high[north]);
    double other = Math.max(-low[east], high[east]);
    if (widest > 360 || other > 360)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' goes from %s to %s and '%s' from %s to %s, which are not degrees; for coordinates in metres give their own system, or none",
              lon,
              low[east],
              high[east],
              lat,
              low[north],
              high[north]));
    if (widest > 90 && widest <= 180 && other <= 90 && isMostly(data, north))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' goes from %s to %s and '%s' from %s to %s: a latitude lies from -90 to 90 degrees, and the columns look swapped; name them the other way round",
              lat,
              low[north],
              high[north],
              lon,
              low[east],
              high[east]));
    int d = data.source().columns().size();
    long[] before = {0};
    data.source()
        .read(
            (count, x, y, weights) -> {
              for (int i = 0; i < count; i++) {
                String why =
                    PlaceMap.refusal(lon, x[i * d + east], lat, x[i * d + north]).orElse(null);
                if (why != null)
                  throw new IllegalArgumentException(
                      String.format(
                          Locale.ROOT,
                          "row %,d (data rows count from 1): %s",
                          before[0] + i + 1,
                          why));
              }
              before[0] += count;
            });
  }

  /// Whether more than a tenth of the rows have no valid latitude, so that it cannot be a few
  /// mistakes.
  private static boolean isMostly(FitData data, int north) {
    Dataset some = data.survey().table(PLACES, data.source());
    int d = some.dimensions();
    int wrong = 0;
    for (int i = 0; i < some.size(); i++) if (Math.abs(some.inputs()[i * d + north]) > 90) wrong++;
    return 10 * wrong > some.size();
  }

  private static PlaceMap local(FitData data, Place place, int east, int north) {
    Survey survey = data.survey();
    Options fit = data.fit();
    Dataset some = survey.table(PLACES, data.source());
    int d = some.dimensions();
    double[] points = Arrays.copyOf(some.inputs(), some.inputs().length + 2 * d);
    for (int j = 0; j < d; j++) { // all rows lie between these
      points[some.inputs().length + j] = survey.low()[j];
      points[some.inputs().length + d + j] = survey.high()[j];
    }
    boolean profits =
        fit.grid().isOnData()
            || ((fit.engine() == Engine.SPARSE || survey.mayBeOwn(fit))
                && new LatticeChoice(fit, survey, null).own() != null);
    boolean regular =
        profits
            && fit.anisotropy().isEmpty()
            && survey.hasValues()
            && survey.values().get(east).nodes() != null
            && survey.values().get(north).nodes() != null;
    if (fit.grid().isOnData() && fit.shape() != Options.Shape.ADDITIVE && d <= MOST_COLUMNS)
      GridRule.of(fit.grid().withNames(survey.names()))
          .chooseOwn(survey.values(), null); // its error says what is wrong
    boolean kept = fit.grid().isOnData() || !Planner.mayBeSites(survey, d);
    double most = kept ? Double.POSITIVE_INFINITY : DISTORTION;
    return PlaceMap.local(place, data.source().columns(), points, regular, most);
  }

  /// The map with its axes along the direction that is given or learned. Null if the rows determine
  /// no direction and coordinates are on a plane already.
  private static @Nullable PlaceMap turned(
      FitData data, @Nullable PlaceMap map, int east, int north, List<Note> notes) {
    Options fit = data.fit();
    List<Column> columns = data.source().columns();
    PlaceMap plane = map == null ? PlaceMap.turned(columns, east, north, 0) : map;
    OptionalDouble given = fit.anisotropy().orElseThrow().degrees();
    if (given.isPresent()) {
      notes.add(
          new Note(
              Note.Kind.ANISOTROPY,
              String.format(
                  Locale.ROOT, "axes at %s° clockwise from north, as given", given.getAsDouble())));
      return plane.turned(given.getAsDouble());
    }
    if (!fit.training() || !fit.likelihood().isGaussian())
      throw new IllegalArgumentException(
          "a direction can be learned only under Gaussian noise and with training on; give the"
              + " direction in degrees instead");
    Dataset rows = data.survey().sample(PLACES);
    Direction found;
    try {
      found =
          Budget.current()
              .share(TURNING)
              .call(
                  () ->
                      Direction.learn(
                          rows,
                          plane,
                          fit.hyperparameters(plane.features(columns)),
                          Learners.of(fit.learning()),
                          fit.learning().seed()));
    } catch (TimeUpException e) {
      notes.add(
          new Note(
              Note.Kind.TIME,
              "there was no time to learn a direction; axes are not rotated, give more time"));
      return map;
    }
    notes.add(new Note(Note.Kind.ANISOTROPY, found.text()));
    if (found.timeUp())
      notes.add(
          new Note(Note.Kind.TIME, "the direction is the best found in its share of the time"));
    return found.isSeen() ? plane.turned(found.angle(), found.standardError()) : map;
  }

  private static Model plain(FitData data) throws IOException {
    Options fit = data.fit();
    boolean rows = fit.engine().holdsRows();
    if (rows && fit.shape() == Options.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "the %s engine learns no projection; use another engine, or shape auto"
              .formatted(fit.engine()));
    if (TableFit.applies(data)) return TableFit.model(data);
    int columns = data.source().columns().size();
    boolean one = columns <= MOST_COLUMNS || (!fit.training() && columns == 4);
    boolean sum = columns > MOST_COLUMNS && Additive.isSum(fit.kernel(), columns);
    boolean held =
        (!fit.training() || !fit.likelihood().isGaussian())
            && Planner.isWide(data.source().columns())
            && Planner.mayHold(fit, data.survey());
    if (rows || fit.shape() != Options.Shape.AUTO || ((one || held) && !sum))
      return new FitRun(data).model(null, null);
    FitData additive = data.shaped(Options.Shape.ADDITIVE);
    if (sum) return new FitRun(additive).model("additive, as the kernel is", null);
    if (!fit.training())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d inputs are too many for one grid, and training is off; use an additive kernel such as additive(%s)",
              columns,
              fit.kernel()));
    if (fit.grid().isOnData())
      return new FitRun(additive).model("additive, because the data's own grid is asked for", null);
    if (fit.grid().hasRanges())
      return new FitRun(additive).model("additive, because ranges of columns are given", null);
    String why =
        fit.engine() != Engine.AUTO
            ? "because the engine %s works on grids".formatted(fit.engine())
            : fit.grid().isAutomatic()
                ? "because another model would have to keep its rows, which are too many"
                : "because grid points are given";
    return new FitRun(additive).model("additive, " + why, null);
  }

  /// The model over the features of a map. Remarks say where the map comes from.
  static Model over(FitData data, FeatureMap map, List<String> remarks) throws IOException {
    Options fit = data.fit();
    if (fit.shape() == Options.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "a projection is a feature map itself and cannot be used with another; use shape auto, grid or"
              + " additive");
    if (fit.engine().holdsRows()) return new FitRun(data).over(map, remarks);
    boolean one = map.outputs() <= MOST_COLUMNS;
    FitData shaped =
        fit.shape() == Options.Shape.AUTO
            ? data.shaped(one ? Options.Shape.GRID : Options.Shape.ADDITIVE)
            : data;
    return new FitRun(shaped).over(map, remarks);
  }
}
