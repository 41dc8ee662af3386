package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import lovelace.forecast.ForecastFile;
import lovelace.io.WriteLock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The options of forecasts that are kept in a file, and go on from it.
final class ForecastFiles {

  /// The options whose values a file keeps.
  private static final List<String> KEPT =
      List.of(
          "--id",
          "--time",
          "--target",
          "--frequency",
          "--season",
          "--gaps",
          "--outliers",
          "--between",
          "--likelihood");

  /// The options that give series columns.
  static final List<String> COLUMNS =
      List.of("--future", "--covariates", "--holidays", "--holiday-days", "--holidays-by");

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description =
          "Keep what was learned and the history of every series in this file, such as sales.lvf. "
              + "Without TABLE, forecast the series of the file.")
  private @Nullable Path model;

  @Option(
      names = "--update",
      paramLabel = "FILE",
      description =
          "Go on from this file: add the rows of TABLE to its series, write the file again (or "
              + "--model, if it is given), and forecast. Nothing is learned again.")
  private @Nullable Path update;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  /// Whether forecasts go on from a file.
  ///
  /// @param table whether there is a table
  boolean goesOn(boolean table) {
    return update != null || (model != null && !table);
  }

  /// The file to read; empty if a table is learned from.
  Optional<Path> read(boolean table) {
    return goesOn(table) ? Optional.ofNullable(update == null ? model : update) : Optional.empty();
  }

  /// Whether rows are added to the file.
  boolean adds() {
    return update != null;
  }

  /// Whether a file is written with what is learned from a table.
  boolean writesNew(boolean table) {
    return table && update == null && model != null;
  }

  /// The file to write, if any.
  Optional<Path> write(boolean table) {
    if (update != null) return Optional.of(model == null ? update : model);
    return table ? Optional.ofNullable(model) : Optional.empty();
  }

  /// Refuses what cannot be combined, before any work is done.
  ///
  /// @param table whether there is a table
  /// @param wide whether each column of the table is a series
  void check(boolean table, boolean wide) {
    if (update != null && !table)
      throw new IllegalArgumentException(
          "--update adds the rows of a table to '%s', and no TABLE is named; add it, or write --model %s to forecast without new rows"
              .formatted(update, update));
    if (model == null && update == null) return;
    if (Together.given(spec, "--from"))
      throw new IllegalArgumentException(
          "a file of forecasts continues each series after its own last value, and --from starts all at one time; leave out --from, or %s"
              .formatted(update == null ? "--model" : "--update"));
    Together.refuse(
        spec,
        update == null ? "--model" : "--update",
        COLUMNS,
        "a file of forecasts keeps values and no columns");
    write(table)
        .ifPresent(file -> Output.checkFolder(update == null ? "--model" : "--update", file));
    Optional<Path> file = read(table);
    if (file.isEmpty()) return;
    for (String option : KEPT)
      if (Together.given(spec, option))
        throw new IllegalArgumentException(
            "'%s' keeps the value that %s had when it was learned; leave out %s, or forecast a whole table"
                .formatted(file.get(), option, option));
    if (wide && update == null)
      throw new IllegalArgumentException(
          "--series-in-columns is about a table, and '%s' is forecast without one; leave it out"
              .formatted(file.get()));
  }

  /// Opens a file of forecasts. Whatever else it may be, the message says so.
  static ForecastFile open(Path file) {
    if (Files.notExists(file))
      throw new IllegalArgumentException(
          "there is no file '%s'; make one with 'lovelace forecast TABLE --horizon N --model %s'"
              .formatted(file, file));
    if (Files.isDirectory(file))
      throw new IllegalArgumentException(
          "'%s' is a folder; name a file that 'lovelace forecast --model' wrote".formatted(file));
    try {
      if (!ForecastFile.isOne(file))
        throw new IllegalArgumentException(
            "'%s' is not a file of forecasts%s; name one that 'lovelace forecast TABLE --horizon N --model FILE' wrote"
                .formatted(
                    file,
                    file.toString().endsWith(".lvl")
                        ? ", but a model of 'lovelace fit', which 'lovelace predict' uses"
                        : ""));
      return ForecastFile.open(ForecastJournal.whole(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
  }

  /// Refuses a file of forecasts where a model is needed.
  static void refuse(Path file) {
    try {
      if (!ForecastFile.isOne(file)) return;
    } catch (IOException e) {
      return; // whoever reads it says so
    }
    throw new IllegalArgumentException(
        "'%s' holds forecasts of series, and a model of 'lovelace fit' is needed; 'lovelace forecast --model %s' goes on from it, and 'lovelace inspect %s' shows what it holds"
            .formatted(file, file, file));
  }

  /// The right to write a file, which only one command has at a time.
  static WriteLock lock(Path file, PrintWriter err) throws IOException {
    try {
      return WriteLock.brief(
          file,
          () ->
              err.println(
                  "lovelace: another command is writing '%s'; waiting for its end"
                      .formatted(file)));
    } catch (WriteLock.HeldException e) {
      throw ModelTarget.served(file, e);
    }
  }

  /// The horizon of a command that goes on from a file.
  static int horizon(@Nullable Integer asked, int learned, Path file) {
    if (asked == null) return learned;
    if (asked > learned)
      throw new IllegalArgumentException(
          "--horizon %s is longer than the %s steps that '%s' was learned for; ask for at most %s, or forecast the whole table with --horizon %s"
              .formatted(asked, learned, file, learned, asked));
    return asked;
  }
}
