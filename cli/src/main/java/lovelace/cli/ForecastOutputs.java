package lovelace.cli;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that say what a forecast writes, and where.
final class ForecastOutputs {

  /// The draws of a total, unless more are asked for.
  private static final int TOTAL_DRAWS = 1_000;

  private static final int MOST_DRAWS = 100_000;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the forecasts to this file: .csv, .tsv, .parquet or .json, text also with .gz. - "
              + "prints CSV (default: print the first rows as a table).")
  private @Nullable String out;

  @Option(
      names = "--json",
      description = "Print the forecasts on standard output as JSON, one object on each line.")
  private boolean json = false;

  @Option(
      names = "--draws",
      paramLabel = "N",
      description = "Draw N joint paths of each series, which --draws-out writes.")
  private @Nullable Integer draws;

  @Option(
      names = "--draws-out",
      paramLabel = "FILE",
      description = "Write the paths to this file, with columns draw and value.")
  private @Nullable String drawsOut;

  @Option(
      names = "--total",
      paramLabel = "STEPS",
      description =
          "Also forecast the sum of each series over the first STEPS steps, by joint paths (1,000, "
              + "or --draws if that is more).")
  private @Nullable Integer total;

  @Option(
      names = "--total-out",
      paramLabel = "FILE",
      description = "Write the sums to this file (default: print the first rows as a table).")
  private @Nullable String totalOut;

  @Option(
      names = "--sums",
      paramLabel = "LEVELS",
      description =
          "Also forecast sums over columns of ids, so that they agree: shop/item adds all, and each "
              + "shop; shop,item also each item; total only all. In rows of sums, the columns that "
              + "were added over are empty.")
  private @Nullable String sums;

  @Option(names = "--seed", paramLabel = "N", description = "The seed of paths (default: 1).")
  private long seed = 1;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write a report to this .json file: columns, frequency, how many series of each kind, and "
              + "remarks by series.")
  private @Nullable Path report;

  /// Refuses wrong values before any work is done.
  void check(int horizon) {
    if (out != null && json)
      throw new IllegalArgumentException(
          "--json prints rows on standard output, and --out writes them to '%s'; leave out one of the two"
              .formatted(out));
    check("--out", out);
    check("--draws-out", drawsOut);
    check("--total-out", totalOut);
    Path file = report;
    if (file != null) {
      if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".json"))
        throw new IllegalArgumentException(
            "--report must name a file that ends in .json, got '%s'; write --report report.json"
                .formatted(file));
      Output.checkFolder("--report", file);
    }
    if (draws != null) Named.within("--draws", draws, 1, MOST_DRAWS, "1000 is usual");
    if (total != null) Named.within("--total", total, 1, horizon, "it counts steps of the horizon");
    if (drawsOut != null && draws == null)
      throw new IllegalArgumentException(
          "--draws-out writes paths, and no --draws says how many; add --draws 100");
    if (draws != null && drawsOut == null && total == null && sums == null)
      throw new IllegalArgumentException(
          "--draws makes paths, and no --draws-out says where to write them; add --draws-out paths.parquet");
    if (totalOut != null && total == null)
      throw new IllegalArgumentException(
          "--total-out writes sums, and no --total says over how many steps; add --total "
              + horizon);
  }

  static void check(String option, @Nullable String file) {
    if (file == null || (file.equals(Output.STANDARD) && option.equals("--out"))) return;
    Named.check(
        option,
        () -> {
          if (Output.isStandard(file))
            throw new IllegalArgumentException("'-' is only for --out; name a file");
          Output.options(file);
        });
    Output.checkFolder(option, Path.of(file));
  }

  /// The file for forecasts, or the format for standard output; empty to show the first rows.
  Optional<String> rows() {
    return Optional.ofNullable(json ? Output.STANDARD_JSON : out);
  }

  /// Whether standard output holds rows and nothing else.
  boolean rowsOnOut() {
    return rows().filter(Output::isStandard).isPresent();
  }

  Optional<String> sums() {
    return Optional.ofNullable(sums);
  }

  Optional<String> drawsFile() {
    return Optional.ofNullable(drawsOut);
  }

  Optional<String> totalFile() {
    return Optional.ofNullable(totalOut);
  }

  /// The steps of the total; 0 for none.
  int total() {
    return total == null ? 0 : total;
  }

  /// The number of paths; 0 for none. Quantiles of a total need many.
  int draws() {
    int asked = draws == null ? 0 : draws;
    return total == null ? asked : Math.max(asked, TOTAL_DRAWS);
  }

  /// The number of paths to write.
  int written() {
    return draws == null ? 0 : draws;
  }

  long seed() {
    return seed;
  }

  Optional<Path> report() {
    return Optional.ofNullable(report);
  }
}
