package lovelace.model;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// Where a model comes from.
///
/// @param version the Lovelace that made it
/// @param created when
/// @param fingerprint of the rows it learned from, see [lovelace.io.Fingerprint]
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
    List<Step> trace,
    List<Note> notes) {

  /// A step of learning.
  ///
  /// @param evaluations likelihoods so far
  /// @param objective minus the log posterior
  /// @param gradientNorm the largest entry of the objective's projected gradient in the free
  ///   parameters
  /// @param parameters all values, natural scale, in the order of their names
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

  /// The same of rows with another fingerprint.
  public Provenance of(long other) {
    return new Provenance(version, created, other, command, standardErrors, trace, notes);
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

  /// A line on how a model came about, for people to read. What a model is stands in its types:
  /// code may drop or show notes of a kind, and never reads their text.
  ///
  /// @param kind what it is about
  /// @param text what it says, without what the kind puts before it
  public record Note(Kind kind, String text) {

    /// The parameters came from the caller.
    public static final Note AS_GIVEN = new Note(Kind.AS_GIVEN, "");

    private static final int LONGEST_NAME = 11;

    /// What a note is about.
    public enum Kind {
      /// Why the engine was chosen.
      ENGINE("engine: "),
      /// The grid and why it is as it is.
      GRID("grid: "),
      /// A grid that was too coarse.
      REGRID("regrid: "),
      /// Where events were watched for.
      WINDOW("window: "),
      /// Why the model is a sum or a projection.
      SHAPE("shape: "),
      /// What was compared on rows held out, and by how much the best was better.
      COMPARED("compared: "),
      /// What was done to the columns.
      COLUMNS("columns: "),
      /// How coordinates become a plane.
      PLACE("coordinates: "),
      /// In which direction the process varies most slowly.
      ANISOTROPY("anisotropy: "),
      /// What a feature is made of; the text begins with its number.
      FEATURE("feature "),
      /// How parameters were learned.
      TRAINING("training: "),
      /// How closely the likelihood is known.
      LIKELIHOOD("likelihood: "),
      /// Where parameters come from.
      PARAMETERS("parameters: "),
      /// The whole note of parameters that came from the caller.
      AS_GIVEN("parameters used as given, nothing learned"),
      /// What ended because its time was up.
      TIME("time: "),
      /// What would make a better model.
      ADVICE("advice: "),
      /// What changed in a column that the model does not read.
      LEFT_OUT("left out: "),
      /// That the model holds rows.
      HOLDS("holds: "),
      /// What a kernel of one's own needs.
      KERNEL("kernel: "),
      /// Rows that were added.
      UPDATE("update: "),
      /// Rows that were taken away.
      FORGET("forget: "),
      /// A model that was merged into this one.
      MERGED("merged: "),
      /// A remark of somebody else.
      OTHER("");

      private final String prefix;

      Kind(String prefix) {
        this.prefix = prefix;
      }
    }

    /// The note that prints as this line.
    public static Note parse(String line) {
      for (Kind kind : Kind.values())
        if (line.startsWith(kind.prefix))
          return new Note(kind, line.substring(kind.prefix.length()));
      throw new IllegalStateException("every line is at least a remark");
    }

    /// The short name before its first colon, `left out` say, for a column of its own; empty where
    /// it has none.
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
