package lovelace.model;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// Where a model comes from.
///
/// @param version the version of Lovelace that made it
/// @param created the time when it was made
/// @param fingerprint the fingerprint of the rows it learned from; see [lovelace.io.Fingerprint]
/// @param command the command line or program that made it, with passwords removed
/// @param standardErrors the standard errors of the parameters in natural order, in their own
///   units: 0 for fixed ones, NaN if unknown; empty if nothing was learned
/// @param trace the steps of learning, the start first
/// @param notes how the model was made, for people: the grid and why, the training
public record Provenance(
    String version,
    Instant created,
    long fingerprint,
    String command,
    List<Double> standardErrors,
    List<Step> trace,
    List<Note> notes) {

  /// A step of learning.
  ///
  /// @param evaluations the number of likelihoods computed so far
  /// @param objective minus the log posterior
  /// @param gradientNorm the largest entry of the projected gradient of the objective in the free
  ///   parameters
  /// @param parameters all values, on their natural scale, in the order of their names
  public record Step(
      int iteration,
      int evaluations,
      double objective,
      double gradientNorm,
      List<Double> parameters) {

    public Step {
      parameters = List.copyOf(parameters);
    }
  }

  public Provenance {
    command = withoutSecrets(command);
    standardErrors = List.copyOf(standardErrors);
    trace = List.copyOf(trace);
    notes = List.copyOf(notes);
  }

  /// Returns this provenance for rows with another fingerprint.
  public Provenance of(long other) {
    return new Provenance(version, created, other, command, standardErrors, trace, notes);
  }

  /// The fingerprint as it is printed.
  public String fingerprintText() {
    return String.format(Locale.ROOT, "%016x", fingerprint);
  }

  /// Returns the text with passwords, tokens and keys, and the passwords in URLs, replaced by
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

  /// A line that tells people how a model was made. Code never reads its text: the types of a model
  /// hold the facts. Code may drop or show notes of some kind.
  ///
  /// @param kind the subject of the note
  /// @param text the text of the note, without the beginning that its kind adds
  public record Note(Kind kind, String text) {

    /// The parameters came from the caller.
    public static final Note AS_GIVEN = new Note(Kind.AS_GIVEN, "");

    private static final int LONGEST_NAME = 11;

    /// The subject of a note.
    public enum Kind {
      /// Why the engine was chosen.
      ENGINE("engine: "),
      /// The grid, and the reason for it.
      GRID("grid: "),
      /// A grid that was too coarse.
      REGRID("regrid: "),
      /// The window in which events were observed.
      WINDOW("window: "),
      /// Why the model is a sum or a projection.
      SHAPE("shape: "),
      /// The comparison on held-out rows, and how much better the best was.
      COMPARED("compared: "),
      /// How columns were changed.
      COLUMNS("columns: "),
      /// How coordinates are put on a plane.
      PLACE("coordinates: "),
      /// The direction in which the process varies most slowly.
      ANISOTROPY("anisotropy: "),
      /// How a feature is made; the text begins with its number.
      FEATURE("feature "),
      /// How parameters were learned.
      TRAINING("training: "),
      /// How precisely the likelihood is known.
      LIKELIHOOD("likelihood: "),
      /// The origin of the parameters.
      PARAMETERS("parameters: "),
      /// The whole note, if the parameters came from the caller.
      AS_GIVEN("parameters used as given, nothing learned"),
      /// A step that was stopped because its time was up.
      TIME("time: "),
      /// How few digits of the predictions are right, and what to do.
      DIGITS("digits: "),
      /// Advice for a better model.
      ADVICE("advice: "),
      /// A change in a column that the model does not read.
      LEFT_OUT("left out: "),
      /// That the model holds rows.
      HOLDS("holds: "),
      /// Requirements of a kernel of your own.
      KERNEL("kernel: "),
      /// Rows that were added.
      UPDATE("update: "),
      /// Rows that were removed.
      FORGET("forget: "),
      /// A model that was merged into this one.
      MERGED("merged: "),
      /// Any other remark.
      OTHER("");

      private final String prefix;

      Kind(String prefix) {
        this.prefix = prefix;
      }
    }

    /// Returns the note that prints as this line.
    public static Note parse(String line) {
      for (Kind kind : Kind.values())
        if (line.startsWith(kind.prefix))
          return new Note(kind, line.substring(kind.prefix.length()));
      throw new IllegalStateException("every line is at least a remark");
    }

    /// The short name before the first colon, such as `left out`; empty if there is none.
    public String name() {
      int colon = toString().indexOf(": ");
      return colon > LONGEST_NAME || colon < 0 ? "" : toString().substring(0, colon);
    }

    /// The line without its [#name].
    public String words() {
      return name().isEmpty() ? toString() : toString().substring(name().length() + 2);
    }

    /// The whole line.
    @Override
    public String toString() {
      return kind.prefix + text;
    }
  }
}
