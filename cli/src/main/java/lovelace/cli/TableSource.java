package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lovelace.Model;
import lovelace.Source;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import org.jspecify.annotations.Nullable;

/// The rows of a table as observations.
final class TableSource implements Source {

  private final Table table;
  private final List<Table.Input> wanted;
  private final List<Column> columns;
  private final Column target;
  private final Table.Missing missing;
  private final boolean weighted;
  private Table.Count count = new Table.Count(0, 0);

  /// Input columns, a target, and a column of weights or null.
  TableSource(
      Table table,
      List<String> inputs,
      String target,
      @Nullable String weights,
      Table.Missing missing)
      throws IOException {
    this.table = table;
    this.missing = missing;
    table.requireRows();
    wanted = new ArrayList<>();
    columns = new ArrayList<>();
    for (String name : inputs) {
      requireUsable(table.field(name));
      Table.Input input = table.input(name);
      wanted.add(input);
      columns.add(input.time() == null ? Column.of(name) : Column.of(name, input.time()));
    }
    Named.check("--target", () -> table.field(target));
    requireNumber(target, "the target");
    wanted.add(new Table.Input(target, null));
    this.target = Column.of(target);
    weighted = weights != null;
    if (weights != null) {
      Named.check("--weights", () -> table.field(weights));
      requireNumber(weights, "--weights");
      wanted.add(new Table.Input(weights, null));
    }
  }

  /// The columns of a model, times on its scales, and a column of weights or null.
  TableSource(Table table, Model model, @Nullable String weights, Table.Missing missing)
      throws IOException {
    this.table = table;
    this.missing = missing;
    table.requireRows();
    wanted = Models.inputs(model, table);
    columns = model.columns();
    target = model.target();
    requireNumber(target.name(), "the target");
    wanted.add(new Table.Input(target.name(), null));
    weighted = weights != null;
    if (weights != null) {
      Named.check("--weights", () -> table.field(weights));
      requireNumber(weights, "--weights");
      wanted.add(new Table.Input(weights, null));
    }
  }

  /// What the table says otherwise of columns that the model leaves out, a line each. A table need
  /// not have them, and a value may be missing.
  List<String> changes(Model model) throws IOException {
    List<String> changes = new ArrayList<>();
    for (LeftOut out : model.leftOut()) {
      String name = out.column().name();
      boolean time = out.column().time().isPresent();
      if (table.fields().stream()
          .noneMatch(
              f ->
                  f.name().equals(name)
                      && f.kind() == (time ? Table.Kind.TIME : Table.Kind.NUMBER))) continue;
      double[] range = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
      table.read(
          List.of(new Table.Input(name, out.column().time().orElse(null))),
          Table.Missing.SKIP,
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

  private void requireUsable(Table.Field field) {
    if (field.kind() == Table.Kind.TEXT)
      throw new IllegalArgumentException(
          "column '%s' of '%s' holds text (%s), an input needs numbers or dates; leave it out of --inputs"
              .formatted(field.name(), table.name(), field.type()));
  }

  private void requireNumber(String name, String what) throws IOException {
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

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public Column target() {
    return target;
  }

  /// How many rows the last reading gave.
  Table.Count count() {
    return count;
  }

  /// Of Parquet files without missing values: ranges from their statistics, rows by their numbers.
  @Override
  public Optional<Overview> overview(int rows, long seed) throws IOException {
    double[] ranges = missing == Table.Missing.ERROR ? table.ranges(wanted) : null;
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
        wanted,
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
      if (weighted) w[i] = found.get(i)[d + 1];
    }
    Optional<double[]> weights = weighted ? Optional.of(w) : Optional.empty();
    return Optional.of(new Overview(low, high, x, y, weights, (long) ranges[2 * wanted.size()]));
  }

  @Override
  public void read(Sink sink) throws IOException {
    int d = columns.size();
    count =
        table.read(
            wanted,
            missing,
            (rows, values) ->
                sink.accept(
                    rows,
                    Models.points(rows, values, d),
                    values[d],
                    weighted ? Optional.of(values[d + 1]) : Optional.empty()));
  }
}
