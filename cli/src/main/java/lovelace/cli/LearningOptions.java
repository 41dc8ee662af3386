package lovelace.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.Fit;
import lovelace.budget.Budget;
import lovelace.data.TargetTransform;
import lovelace.kernel.PriorMean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// A table to learn from, which of its columns, and what is modelled of them.
final class LearningOptions {

  private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([kmgtKMGT]?)[bB]?");

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
      paramLabel = "none|log",
      description = "Model the target itself or its logarithm (default: none).")
  private String transform = "none";

  @Option(
      names = "--mean",
      paramLabel = "constant|zero|linear",
      description = "The mean far from data (default: constant).")
  private String mean = "constant";

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      description = {
        "The longest it may take (default: 1800). When the time is up, parameters are the best",
        "found so far."
      })
  private double time = Fit.Limits.DEFAULT.time().toSeconds();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = {
        "The most memory it may use, 4g or 800m say (default: 60%% of the machine's, or what",
        "-Xmx in LOVELACE_JAVA_OPTS says)."
      })
  private @Nullable String memory;

  /// What a line of progress says first.
  String limits(Fit fit) {
    return String.format(
        Locale.ROOT,
        "at most %,.0f s and %s of memory",
        fit.limits().time().toNanos() * 1e-9,
        Budget.text(fit.limits().memory()));
  }

  private long bytes() {
    if (memory == null) return Fit.Limits.DEFAULT.memory();
    Matcher size = SIZE.matcher(memory);
    if (!size.matches())
      throw new IllegalArgumentException(
          "--memory must be a size such as 4g or 800m, got '" + memory + "'");
    String unit = size.group(2).toLowerCase(Locale.ROOT);
    int shift = unit.isEmpty() ? 0 : 10 * ("kmgt".indexOf(unit.charAt(0)) + 1);
    double bytes = Double.parseDouble(size.group(1)) * (1L << shift);
    if (!(bytes >= 1 << 20))
      throw new IllegalArgumentException(
          "--memory must be 1m or more, got '" + memory + "'; write 4g for four gigabytes");
    return (long) Math.min(bytes, Long.MAX_VALUE);
  }

  String target() {
    return target;
  }

  /// The same fit of the target and with the mean that were asked for.
  Fit on(Fit fit) {
    Named.check("--mean", () -> PriorMean.named(mean, 1));
    if (!(time > 0 && time <= 1e9))
      throw new IllegalArgumentException(
          "--time must be a number of seconds > 0, got " + time + "; 1800 is half an hour");
    return fit.withMean(mean)
        .withTransform(Named.of("--transform", () -> TargetTransform.parse(transform)))
        .withTime(Duration.ofNanos(Math.max(1, (long) (time * 1e9))))
        .withMemory(bytes());
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
