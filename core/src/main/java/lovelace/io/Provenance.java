package lovelace.io;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import lovelace.inference.TrainingReport;

/// Where a model comes from.
///
/// @param version the Lovelace that made it
/// @param created when
/// @param fingerprint of the rows it learned from, see [lovelace.data.Fingerprint]
/// @param command the command line or program that made it, with passwords removed
/// @param standardErrors of the parameters in natural order, in their own units: 0 for fixed ones,
///   NaN where unknown; empty if nothing was learned
/// @param trace the steps the parameters were learned by, the start first
/// @param notes how it came about, for people: the grid and why, the training
public record Provenance(
    String version,
    Instant created,
    long fingerprint,
    String command,
    List<Double> standardErrors,
    List<TrainingReport.Step> trace,
    List<Note> notes) {

  public Provenance {
    command = withoutSecrets(command);
    standardErrors = List.copyOf(standardErrors);
    trace = List.copyOf(trace);
    notes = List.copyOf(notes);
  }

  /// The fingerprint as it is printed.
  public String fingerprintText() {
    return String.format(Locale.ROOT, "%016x", fingerprint);
  }

  /// The text with the values of passwords, tokens and keys, and the passwords of URLs, replaced by
  /// `***`.
  public static String withoutSecrets(String command) {
    return command
        .replaceAll(
            "(?i)((?:password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key)[\"']?\\s*[=:]\\s*)"
                + "(?:\"[^\"]*\"|'[^']*'|[^\\s&;,\"')]+)",
            "$1***")
        .replaceAll("(?i)(--?(?:password|passwd|secret|token|api-key)\\s+)\\S+", "$1***")
        .replaceAll("([a-zA-Z][a-zA-Z0-9+.-]*://[^\\s/:@]*):[^\\s/@]+@", "$1:***@")
        .replaceAll("(jdbc:oracle:\\S*?[:/][^\\s/:@]+)/[^\\s@]+@", "$1/***@");
  }
}
