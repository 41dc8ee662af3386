package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import lovelace.Fit;
import lovelace.cli.Reading.Missing;
import lovelace.data.Column;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Options for the table to learn from, its columns, and how its target is modelled.
final class LearningOptions {

  /// The text that asks for a drift with only an intercept.
  private static final String INTERCEPT = "1";

  @Parameters(
      arity = "0..1",
      paramLabel = "TABLE",
      description =
          "The table to learn from: CSV, TSV, Parquet or JSON lines, also with .gz, or a glob "
              + "of such files. - is standard input. With --sql it may be a JDBC URL.")
  private @Nullable String table;

  @Mixin private final TableOptions tables = new TableOptions();

  @Mixin private final LikelihoodOptions likelihood = new LikelihoodOptions();

  @Option(names = "--target", paramLabel = "COLUMN", description = "The column to learn.")
  private @Nullable String target;

  @Option(
      names = "--inputs",
      split = ",",
      paramLabel = "COLUMN",
      description =
          "The columns to learn from (default: all columns of numbers or dates, and columns of "
              + "text with at most 50 different values).")
  private List<String> inputs = new ArrayList<>();

  @Mixin private final TransformOptions transform = new TransformOptions();

  @Option(
      names = "--mean",
      paramLabel = "constant|zero|linear",
      description = "The mean far from data (default: constant).")
  private String mean = "constant";

  @Option(
      names = "--drift",
      split = ",",
      paramLabel = "COLUMN[=RASTER]",
      description =
          "Columns in which the mean is linear. Their coefficients are integrated out, and inspect"
              + " shows them. The kernel does not use these columns unless --inputs names them too."
              + " elevation=dem.tif reads the column from a raster at the coordinates of each row."
              + " 1 asks for an intercept alone (ordinary kriging). See docs/drift.md.")
  private List<String> drift = new ArrayList<>();

  @Option(
      names = "--missing",
      paramLabel = "error|skip|mean",
      description =
          "What to do if a value is missing: stop (error), leave the row out (skip), or use the "
              + "column's mean (mean). A missing word becomes the word '(missing)'. The model "
              + "remembers the choice for predictions (default: error).")
  private Missing missing = Missing.ERROR;

  @Mixin private final LimitOptions.OfMachine limits = new LimitOptions.OfMachine();

  /// The table that was named.
  @Nullable String table() {
    return table;
  }

  /// The table if it is a file that another command can read too; empty for a query, a database or
  /// standard input.
  Optional<String> file() {
    String named = table;
    return named == null || tables.given() || named.equals("-") || named.startsWith("jdbc:")
        ? Optional.empty()
        : Optional.of(named);
  }

  String target() {
    String name = target;
    if (name == null)
      throw new IllegalArgumentException(
          "--target is missing; pass --target COLUMN, or --intensity if the rows are events");
    return name;
  }

  /// If rows are events, refuses options that need a target.
  void requireEvents() {
    if (target != null)
      throw new IllegalArgumentException(
          "--intensity learns where the rows are, and --target %s names a column to learn; leave out one of the two"
              .formatted(target));
    Likelihood asked = likelihood.likelihood();
    if (likelihood.given() && !asked.equals(Likelihood.poisson()))
      throw new IllegalArgumentException(
          "--intensity counts events with likelihood poisson, and --likelihood is %s; leave it out"
              .formatted(asked));
    RowSize size = likelihood.givenSize();
    if (size != null)
      throw new IllegalArgumentException(
          "%s is for rows with a target, and --intensity treats rows as events; leave out one of the two"
              .formatted(size.kind().option()));
    transform.requireNone();
  }

  /// Whether the mean has a drift.
  boolean hasDrift() {
    return !drift.isEmpty();
  }

  /// The columns that the drift names; empty for an intercept alone.
  private List<String> driftNames() {
    if (drift.equals(List.of(INTERCEPT))) return List.of();
    return drift.stream().map(LearningOptions::driftColumn).toList();
  }

  /// The columns that only the mean reads. The others are in --inputs as well.
  private List<String> driftColumns() {
    return driftNames().stream().filter(name -> !inputs.contains(name)).toList();
  }

  private static String driftColumn(String text) {
    return text.contains("=") ? text.substring(0, text.indexOf('=')) : text;
  }

  /// The columns of the drift that come from rasters, as they were asked for.
  private List<String> rasters() {
    return drift.stream().filter(text -> text.contains("=")).toList();
  }

  /// Adds the columns of the drift that come from rasters to the opened table.
  ///
  /// @param other whether the rasters have another use too; then a column that the table has is
  ///   taken from the table
  /// @param places the coordinates among the columns that the process reads, null if there are none
  void addRasters(Table opened, boolean other, Function<List<Column>, @Nullable Place> places)
      throws IOException {
    RowSize size = rasters().isEmpty() ? null : likelihood.size();
    for (String text : rasters()) {
      String name = driftColumn(text);
      String file = text.substring(name.length() + 1);
      if (name.isBlank() || file.isBlank())
        throw new IllegalArgumentException(
            "--drift needs COLUMN or COLUMN=RASTER, got '%s'; write --drift elevation=dem.tif"
                .formatted(text));
      if (other && opened.fields().stream().anyMatch(f -> f.name().equals(name))) continue;
      List<String> process =
          inputs.isEmpty()
              ? opened.fields().stream()
                  .map(Table.Field::name)
                  .filter(n -> !n.equals(target()) && !driftColumns().contains(n))
                  .filter(n -> size == null || !n.equals(size.column()))
                  .toList()
              : inputs;
      Place place = places.apply(process.stream().map(Column::of).toList());
      if (place == null)
        throw new IllegalArgumentException(
            "--drift %s: the coordinates and their system are not known; pass --crs, and --coordinates EAST,NORTH if the names do not tell"
                .formatted(text));
      CovariateOptions.add(opened, "--drift " + text, name, Path.of(file), place);
    }
  }

  /// The columns that the process reads.
  List<Column> process(List<Column> all) {
    return all.stream().filter(column -> !driftColumns().contains(column.name())).toList();
  }

  private void checkDrift(Table opened) {
    for (String name : driftNames()) {
      if (driftNames().indexOf(name) != driftNames().lastIndexOf(name))
        throw new IllegalArgumentException(
            "--drift names '%s' twice; name it once".formatted(name));
      if (name.equals(target()))
        throw new IllegalArgumentException(
            "--drift names the target '%s'; leave it out".formatted(name));
      Named.check("--drift", () -> opened.field(name));
      if (opened.field(name).kind() == Table.Kind.TEXT)
        throw new IllegalArgumentException(
            "--drift: column '%s' of '%s' holds text, and a drift needs numbers; make a column of 0 and 1 for each word"
                .formatted(name, opened.name()));
    }
  }

  Likelihood likelihood() {
    return likelihood.likelihood();
  }

  /// Whether the likelihood was chosen.
  boolean hasLikelihood() {
    return likelihood.given();
  }

  /// The fit with the target, likelihood and mean that were asked for.
  Fit on(Fit fit) throws IOException {
    Named.check("--mean", () -> PriorMean.named(mean, 1));
    Optional<TargetTransform> asked = transform.asked();
    boolean transformed = !asked.orElse(TargetTransform.NONE).equals(TargetTransform.NONE);
    Fit meant = likelihood.on(fit.withMean(mean), transformed);
    if (asked.isPresent()) meant = meant.withTransform(asked.get());
    if (hasDrift())
      meant =
          meant.withDrift(driftColumns(), driftNames().stream().filter(inputs::contains).toList());
    return limits.on(meant);
  }

  Table open() throws IOException {
    return tables.open(table);
  }

  /// The columns of the opened table that hold the places of events: those asked for, or all.
  TableSource events(Table opened) throws IOException {
    checkInputs(opened);
    opened.requireRows();
    List<String> names =
        inputs.isEmpty() ? opened.fields().stream().map(Table.Field::name).toList() : inputs;
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      if (opened.field(name).kind() == Table.Kind.TEXT)
        throw new IllegalArgumentException(
            "column '%s' of '%s' holds text%s, and events are at times or places; name columns of numbers or dates with --inputs"
                .formatted(name, opened.name(), example(opened, name)));
      columns.add(opened.column(name));
    }
    if (columns.size() > 3)
      throw new IllegalArgumentException(
          "events have one to three columns, their times or places, and '%s' has %s (%s); name them with --inputs"
              .formatted(opened.name(), columns.size(), opened.listing()));
    return TableSource.events(opened, columns, missing);
  }

  private static String example(Table opened, String name) throws IOException {
    String first = opened.firstText(name);
    return first.isEmpty() ? "" : " (" + first + ")";
  }

  private void checkInputs(Table opened) {
    for (String name : inputs) {
      if (inputs.indexOf(name) != inputs.lastIndexOf(name))
        throw new IllegalArgumentException("--inputs names '" + name + "' twice");
      Named.check("--inputs", () -> opened.field(name));
    }
  }

  /// The columns of the opened table to learn from.
  TableSource source(Table opened) throws IOException {
    if (inputs.contains(target()))
      throw new IllegalArgumentException(
          "--inputs names the target '" + target() + "'; leave it out");
    checkInputs(opened);
    checkDrift(opened);
    opened.requireRows();
    List<String> asked = new ArrayList<>(inputs);
    asked.addAll(driftColumns());
    LearningColumns columns =
        inputs.isEmpty() ? usable(opened) : LearningColumns.asked(opened, asked, missing);
    return TableSource.of(opened, columns.inputs(), column(opened), likelihood.size(), missing)
        .under(likelihood.likelihood())
        .leavingOut(columns.leftOut());
  }

  /// The target's column. For classes it may hold two words.
  private Column column(Table opened) throws IOException {
    String target = target();
    Named.check("--target", () -> opened.field(target));
    if (Classes.suit(likelihood.likelihood()))
      return Classes.of(opened, target, likelihood.positive());
    if (!likelihood.given() && opened.field(target).kind() == Table.Kind.TEXT)
      Classes.requireNotTwo(opened, target);
    return Column.of(target);
  }

  private LearningColumns usable(Table opened) throws IOException {
    String target = target();
    Named.check("--target", () -> opened.field(target));
    RowSize size = likelihood.size();
    LearningColumns all =
        LearningColumns.all(opened, target, size == null ? null : size.column(), missing);
    if (all.inputs().isEmpty())
      throw new IllegalArgumentException(
          "'%s' has no column of numbers, dates or words beside '%s' to learn from; it has %s"
              .formatted(opened.name(), target, opened.listing()));
    return all;
  }
}
