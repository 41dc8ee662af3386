package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import lovelace.Model;
import lovelace.cli.Reading.Missing;
import lovelace.cli.Reading.Unseen;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.source.Source;
import org.jspecify.annotations.Nullable;

/// The rows of a table as observations.
final class TableSource implements Source {

  private final Table table;
  private final List<Column> columns;
  private final Column target;
  private final Supplier<Reading> readings;
  private final boolean sized;
  private final boolean events; // rows have no target, and each counts one
  private Reading reading;
  private TargetFacts facts = new TargetFacts();
  private Likelihood likelihood = Likelihood.gaussian();
  private List<String> leftOut = List.of();
  private Table.Count count = new Table.Count(0, 0);

  private TableSource(
      Table table,
      List<Column> columns,
      Column target,
      boolean sized,
      boolean events,
      Supplier<Reading> readings) {
    this.table = table;
    this.columns = columns;
    this.target = target;
    this.sized = sized;
    this.events = events;
    this.readings = readings;
    this.reading = readings.get();
  }

  /// Makes a source from columns to learn from, a target, and a column of sizes or null.
  static TableSource of(
      Table table, List<Column> inputs, Column target, @Nullable RowSize size, Missing missing)
      throws IOException {
    table.requireRows();
    Named.check("--target", () -> table.field(target.name()));
    List<Column> others = others(table, target, size);
    List<Column> columns =
        missing == Missing.MEAN ? LearningColumns.filled(table, inputs, others) : inputs;
    List<Column> all = new ArrayList<>(columns);
    all.addAll(others);
    return new TableSource(
        table,
        columns,
        others.getFirst(),
        size != null,
        false,
        () -> new Reading(all, columns.size(), size, missing, Unseen.ERROR));
  }

  /// Makes a source from columns that hold the places of events.
  static TableSource events(Table table, List<Column> places, Missing missing) throws IOException {
    List<Column> columns =
        missing == Missing.MEAN ? LearningColumns.filled(table, places, List.of()) : places;
    return new TableSource(
        table,
        columns,
        Column.of(Dataset.EVENTS),
        false,
        true,
        () -> new Reading(columns, missing, Unseen.ERROR));
  }

  /// Makes a source from the columns of a model, and a column of sizes or null.
  static TableSource of(Table table, Model model, @Nullable RowSize size, ReadingOptions options)
      throws IOException {
    table.requireRows();
    if (model.window().isPresent()) {
      if (size != null)
        throw new IllegalArgumentException(
            "%s is for counts, and the rows of this model are events; leave it out"
                .formatted(size.kind().option()));
      return new TableSource(
          table, model.columns(), model.target(), false, true, () -> options.inputs(model, table));
    }
    List<Column> others = others(table, model.target(), size);
    return new TableSource(
            table,
            model.columns(),
            model.target(),
            size != null,
            false,
            () -> options.rows(model, table, others, size))
        .under(model.likelihood());
  }

  /// The target and the sizes.
  private static List<Column> others(Table table, Column target, @Nullable RowSize size)
      throws IOException {
    List<Column> others = new ArrayList<>();
    if (target.isText()) table.field(target.name());
    else requireNumber(table, target.name(), "the target");
    others.add(target.isText() ? target : Column.of(target.name()));
    if (size != null) others.add(column(table, size));
    return others;
  }

  /// The column of sizes. It must contain numbers.
  static Column column(Table table, RowSize size) throws IOException {
    Named.check(size.kind().option(), () -> table.field(size.column()));
    requireNumber(table, size.column(), size.kind().option());
    return Column.of(size.column());
  }

  /// Says where the table differs from the columns that the model leaves out, a line each. A table
  /// need not have them, and a value may be missing.
  List<String> changes(Model model) throws IOException {
    List<String> changes = new ArrayList<>();
    for (LeftOut out : model.leftOut()) {
      if (!readable(out.column())) continue;
      double[] range = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
      table.read(
          Reading.of(Missing.SKIP, out.column()),
          (rows, values) -> {
            for (int i = 0; i < rows; i++) {
              range[0] = Math.min(range[0], values[0][i]);
              range[1] = Math.max(range[1], values[0][i]);
            }
          });
      String change = out.change(range[0], range[1]);
      if (!change.isEmpty()) changes.add(change);
    }
    return changes;
  }

  /// Whether the table has a column of this name and kind.
  private boolean readable(Column column) {
    return table.fields().stream()
        .anyMatch(
            f ->
                f.name().equals(column.name())
                    && (column.isText()
                        || f.kind()
                            == (column.time().isPresent() ? Table.Kind.TIME : Table.Kind.NUMBER)));
  }

  private static void requireNumber(Table table, String name, String what) throws IOException {
    Table.Field field = table.field(name);
    if (field.kind() == Table.Kind.NUMBER) return;
    String example = field.kind() == Table.Kind.TEXT ? table.firstText(name) : "";
    throw new IllegalArgumentException(
        "column '%s' of '%s' holds %s%s, %s must be a column of numbers; choose another or correct it"
            .formatted(
                name,
                table.name(),
                field.kind() == Table.Kind.TIME ? "times" : "text",
                example.isEmpty() ? "" : " (" + example + ")",
                what));
  }

  /// The same source, which refuses targets that a likelihood cannot have.
  TableSource under(Likelihood value) {
    likelihood = value;
    return this;
  }

  /// The same source, which remembers which columns of the table it leaves out and why.
  TableSource leavingOut(List<String> lines) {
    leftOut = List.copyOf(lines);
    return this;
  }

  /// Columns of text that are not learned from, a line each.
  List<String> leftOut() {
    return leftOut;
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public Column target() {
    return target;
  }

  /// The last reading. It counts the values that were replaced.
  Reading reading() {
    return reading;
  }

  /// Facts about the targets of the last reading.
  TargetFacts facts() {
    return facts;
  }

  /// The row counts of the last reading.
  Table.Count count() {
    return count;
  }

  /// An overview of Parquet files without missing values: ranges from their statistics, rows by
  /// their numbers.
  @Override
  public Optional<Overview> overview(int rows, long seed) throws IOException {
    List<Column> wanted = reading.columns();
    double[] ranges = reading.skips() || events ? null : table.ranges(wanted);
    if (ranges == null) return Optional.empty();
    int d = columns.size();
    double[] low = new double[d];
    double[] high = new double[d];
    for (int j = 0; j < d; j++) {
      low[j] = ranges[2 * j];
      high[j] = ranges[2 * j + 1];
    }
    long every = Math.max(1, (long) Math.ceil(ranges[2 * wanted.size()] / rows));
    var found = new ArrayList<double[]>();
    table.sample(
        reading,
        every,
        seed,
        (count, values) -> {
          for (int i = 0; i < count; i++) {
            double[] row = new double[values.length];
            boolean finite = true;
            for (int j = 0; j < row.length; j++) {
              row[j] = values[j][i];
              finite &= Double.isFinite(row[j]);
            }
            if (finite) found.add(row);
          }
        });
    if (found.isEmpty()) return Optional.empty();
    double[] x = new double[found.size() * d];
    double[] y = new double[found.size()];
    double[] w = new double[found.size()];
    for (int i = 0; i < y.length; i++) {
      System.arraycopy(found.get(i), 0, x, i * d, d);
      y[i] = found.get(i)[d];
      if (sized) w[i] = found.get(i)[d + 1];
    }
    Optional<double[]> weights = sized ? Optional.of(w) : Optional.empty();
    return Optional.of(new Overview(low, high, x, y, weights, (long) ranges[2 * wanted.size()]));
  }

  @Override
  public void read(Sink sink) throws IOException {
    int d = columns.size();
    reading = readings.get().under(likelihood);
    facts = new TargetFacts();
    count =
        table.read(
            reading,
            (rows, values) -> {
              double[] targets = events ? ones(rows) : values[d];
              if (!events) facts.see(rows, targets);
              sink.accept(
                  rows,
                  Models.points(rows, values, d),
                  targets,
                  sized ? Optional.of(values[d + 1]) : Optional.empty());
            });
  }

  private static double[] ones(int rows) {
    double[] ones = new double[rows];
    Arrays.fill(ones, 1);
    return ones;
  }
}
