package lovelace.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.io.AtomicFile;

/// Files for results. Each is either complete or absent.
final class Output {

  /// Writes the whole result to a file.
  interface Body {
    void write(String file) throws IOException, SQLException;
  }

  /// CSV on standard output.
  static final String STANDARD = "-";

  /// JSON on standard output, one object per line. No file can have this name by mistake.
  static final String STANDARD_JSON = "-.json";

  private Output() {}

  /// Whether rows go to standard output.
  static boolean isStandard(String out) {
    return out.equals(STANDARD) || out.equals(STANDARD_JSON);
  }

  /// Makes the folder that an option names. Called before any work is done.
  static void makeFolder(String option, Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException(
          "%s '%s' is a file; name a folder".formatted(option, folder), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s '%s' is not a folder and cannot be made: %s"
              .formatted(option, folder, e.getMessage()),
          e);
    }
    if (!Files.isWritable(folder))
      throw new IllegalArgumentException(
          "no permission to write in %s '%s'".formatted(option, folder));
  }

  /// The reason why a write failed, within DuckDB's message.
  private static final Pattern REASON =
      Pattern.compile("no space left on device|file too large", Pattern.CASE_INSENSITIVE);

  /// DuckDB's options for the format of the file extension; CSV for `-`.
  static String options(String out) {
    String lower = out.toLowerCase(Locale.ROOT);
    String zip = lower.endsWith(".gz") ? ", compression gzip" : "";
    String bare = zip.isEmpty() ? lower : lower.substring(0, lower.length() - 3);
    if (out.equals(STANDARD) || bare.endsWith(".csv")) return "format csv, header true" + zip;
    if (bare.endsWith(".tsv")) return "format csv, header true, delimiter '\t'" + zip;
    if (bare.matches(".*\\.(json|jsonl|ndjson)")) return "format json" + zip;
    if (lower.endsWith(".parquet") || lower.endsWith(".pq")) return "format parquet";
    throw new IllegalArgumentException(
        "result '%s' must end in .csv, .tsv, .parquet or .json".formatted(out));
  }

  /// Writes the result to a file. If that fails, no file is left.
  static void write(String out, Body body) throws IOException, SQLException {
    try {
      checkFolder(Path.of(out));
      AtomicFile.<SQLException>write(Path.of(out), file -> body.write(file.toString()));
    } catch (SQLException e) {
      String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      if (!message.matches(
          "(?i).*(no space left|file too large|could not write|failed to write).*")) throw e;
      Matcher reason = REASON.matcher(message);
      throw new IOException(
          "'%s' cannot be written: %s; no partial file is left, and an old file is untouched"
              .formatted(out, reason.find() ? reason.group() : message),
          e);
    }
  }

  /// Writes text to a file. If that fails, no file is left.
  static void write(Path file, String text) throws IOException {
    AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Fails if the folder of a file that an option names cannot be written. Called before any work
  /// is done.
  static void checkFolder(String option, Path file) {
    Named.check(
        option,
        () -> {
          try {
            checkFolder(file);
          } catch (IOException e) {
            throw new IllegalArgumentException(
                "'%s' cannot be written: %s".formatted(file, e.getMessage()), e);
          }
        });
  }

  /// Fails if a file cannot be written at this place.
  private static void checkFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file))
      throw new IllegalArgumentException("'" + file + "' is a folder; name a file");
    if (Files.exists(file) && !Files.isRegularFile(file)) return; // a pipe or a device
    if (folder != null && !Files.isDirectory(folder))
      throw new IllegalArgumentException(
          "there is no folder '%s' to write '%s' in".formatted(folder, file.getFileName()));
    if (folder != null && !Files.isWritable(folder))
      throw new IllegalArgumentException("no permission to write in '" + folder + "'");
    FileFault.checkWritable(file);
  }
}
