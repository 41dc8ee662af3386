package lovelace.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.Fit;
import lovelace.budget.Budget;
import lovelace.options.Options;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Limits how long learning may take and how much memory it may use. Each kind of command has its
/// own default for `--memory`.
abstract sealed class LimitOptions {

  /// Limits of commands that may use most of the machine.
  static final class OfMachine extends LimitOptions {
    @Option(
        names = "--memory",
        paramLabel = "SIZE",
        description =
            "The most memory that the process may take, such as 4g, 1.5g or 800mb (default: a heap of"
                + " 60%% of the machine's memory, or -Xmx in LOVELACE_JAVA_OPTS).")
    private @Nullable String memory;

    @Override
    @Nullable String memory() {
      return memory;
    }
  }

  /// Limits of measurements, which use the same on every machine.
  static final class OfBench extends LimitOptions {
    @Option(names = "--memory", paramLabel = "SIZE", description = MOST + "4g).")
    private String memory = "4g";

    @Override
    String memory() {
      return memory;
    }
  }

  /// Limits of measurements of tables.
  static final class OfTables extends LimitOptions {
    @Option(names = "--memory", paramLabel = "SIZE", description = MOST + "3g).")
    private String memory = "3g";

    @Override
    String memory() {
      return memory;
    }
  }

  private static final String MOST =
      "The most memory that the process may take, such as 4g, 1.5g or 800mb (default: ";

  private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([kmgtKMGT]?)[bB]?");

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      description =
          "About how long the fit may take. Comparing and learning get shares of it; when they are "
              + "over, the best found so far is used. There is always a model: the table is read "
              + "and the posterior computed even if that takes longer, and fit then says by how much "
              + "(default: 1800).")
  private double time = Options.Limits.DEFAULT.time().toSeconds();

  /// The value of `--memory`; null if there is none.
  abstract @Nullable String memory();

  /// The fit within these limits. Tables are read within their share of the memory.
  Fit on(Fit fit) {
    if (!(time > 0 && time <= 1e9))
      throw new IllegalArgumentException(
          "--time must be a number of seconds > 0, got " + time + "; 1800 is half an hour");
    Database.keepWithin(memory() == null ? Long.MAX_VALUE : bytes());
    return fit.withTime(Duration.ofNanos(Math.max(1, (long) (time * 1e9)))).withMemory(bytes());
  }

  /// The same limits as arguments of another command.
  List<String> arguments() {
    List<String> all = new ArrayList<>(List.of("--time", Double.toString(time)));
    String memory = memory();
    if (memory != null) all.addAll(List.of("--memory", memory));
    return all;
  }

  /// The start of a line of progress.
  static String text(Fit fit) {
    return String.format(
        Locale.ROOT,
        "at most %,.0f s and %s of memory",
        fit.limits().time().toNanos() * 1e-9,
        Budget.text(fit.limits().memory()));
  }

  /// The bytes that `--memory` allows.
  long bytes() {
    String memory = memory();
    return memory == null ? Options.Limits.DEFAULT.memory() : bytes(memory);
  }

  /// The bytes of a size such as 4g.
  static long bytes(String memory) {
    Matcher size = SIZE.matcher(memory);
    if (!size.matches())
      throw new IllegalArgumentException(
          "--memory must be a size such as 4g, 1.5g or 800mb, got '" + memory + "'");
    String unit = size.group(2).toLowerCase(Locale.ROOT);
    int shift = unit.isEmpty() ? 0 : 10 * ("kmgt".indexOf(unit.charAt(0)) + 1);
    double bytes = Double.parseDouble(size.group(1)) * (1L << shift);
    if (!(bytes >= 1 << 20))
      throw new IllegalArgumentException(
          "--memory must be 1m or more, got '" + memory + "'; write 4g for four gigabytes");
    return (long) Math.min(bytes, Long.MAX_VALUE);
  }
}
