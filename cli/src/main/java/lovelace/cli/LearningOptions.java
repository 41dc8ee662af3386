package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import lovelace.Fit;
import lovelace.data.TargetTransform;
import lovelace.kernel.PriorMean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// A table to learn from, which of its columns, and what is modelled of them.
final class LearningOptions {

  @Parameters(
      arity = "0..1",
      paramLabel = "TABLE",
      description =
          "CSV, TSV, Parquet or JSON lines, .gz too; a glob of them; - is standard input; a JDBC"
              + " URL with --sql.")
  private @Nullable String table;

  @Mixin private final RowOptions rows = new RowOptions();

  @Option(
      names = "--target",
      required = true,
      paramLabel = "COLUMN",
      description = "The column to learn.")
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private String target;

  @Option(
      names = "--inputs",
      split = ",",
      paramLabel = "COLUMN",
      description = "The columns to learn from (default: all with numbers or dates).")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = "--transform",
      paramLabel = "auto|none|log|ranks",
      description = {
        "Model the target itself, its logarithm, or the normal scores of its ranks, for heavy tails",
        "(default: auto, none with up to three inputs; with more what is better on rows held out)."
      })
  private String transform = "auto";

  @Option(
      names = "--mean",
      paramLabel = "constant|zero|linear",
      description = "The mean far from data (default: constant).")
  private String mean = "constant";

  @Mixin private final LimitOptions limits = new LimitOptions();

  String target() {
    return target;
  }

  /// The same fit of the target and with the mean that were asked for.
  Fit on(Fit fit) {
    Named.check("--mean", () -> PriorMean.named(mean, 1));
    Fit meant = fit.withMean(mean);
    if (!transform.equals("auto"))
      meant = meant.withTransform(Named.of("--transform", () -> TargetTransform.parse(transform)));
    return limits.on(meant);
  }

  Table open() throws IOException {
    return rows.tables.open(table);
  }

  /// The columns of the opened table to learn from.
  TableSource source(Table opened) throws IOException {
    List<String> names = inputs.isEmpty() ? usable(opened) : inputs;
    if (names.contains(target))
      throw new IllegalArgumentException(
          "--inputs names the target '" + target + "'; leave it out");
    for (String name : names)
      if (names.indexOf(name) != names.lastIndexOf(name))
        throw new IllegalArgumentException("--inputs names '" + name + "' twice");
    if (!inputs.isEmpty())
      for (String name : names) Named.check("--inputs", () -> opened.field(name));
    return new TableSource(opened, names, target, rows.weights, rows.missing);
  }

  private List<String> usable(Table opened) throws IOException {
    opened.requireRows();
    List<String> names =
        opened.fields().stream()
            .filter(f -> f.kind() != Table.Kind.TEXT)
            .map(Table.Field::name)
            .filter(name -> !name.equals(target) && !name.equals(rows.weights))
            .toList();
    Named.check("--target", () -> opened.field(target));
    if (names.isEmpty())
      throw new IllegalArgumentException(
          "'%s' has no column of numbers or dates beside '%s' to learn from; it has %s"
              .formatted(opened.name(), target, opened.listing()));
    return names;
  }
}
