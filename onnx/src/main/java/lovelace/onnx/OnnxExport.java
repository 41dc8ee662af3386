package lovelace.onnx;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import lovelace.Model;
import lovelace.io.AtomicFile;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.Options;

/// Writes models as ONNX graphs, one per file. Any ONNX runtime evaluates them without this
/// library. The outputs are `mean`, `variance`, `stddev`, `lower`, `upper` and `outside`, one value
/// per row, in the units of the table. Immutable.
///
/// ```java
/// OnnxExport.DEFAULT.withInterval(0.9).write(model, Path.of("model.onnx"));
/// ```
///
/// Models on a grid can be written, and their files hold no rows. A model that predicts from rows
/// that it holds is refused, and so is anything else that a graph cannot express. The
/// [IllegalArgumentException] says why and what to do.
///
/// @param wanted the quantity to predict; empty for the rate or probability if there is one,
///   otherwise the function
/// @param interval the probability between `lower` and `upper`
/// @param inputs the inputs of the graph
/// @param float32 whether its numbers have 32 bits, not 64
public record OnnxExport(Optional<Of> wanted, double interval, Inputs inputs, boolean float32) {

  /// The most bytes of a protobuf message, and so of an ONNX file.
  static final long MOST = Integer.MAX_VALUE;

  /// The name of the metadata entry with the hash of everything before it.
  static final String HASH = "lovelace.sha256";

  private static final int IR_VERSION = 8; // the newest that Debian 12's checker knows

  /// The inputs of a graph.
  public enum Inputs {
    /// One tensor `x` of rows and columns. A word is its position in the list of its column's
    /// words.
    X,
    /// One tensor per column, by its name. Words are texts.
    COLUMNS;

    /// The word for people: `x` or `columns`.
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The usual quantity, intervals of 95 %, one tensor `x`, float64.
  public static final OnnxExport DEFAULT = new OnnxExport(Optional.empty(), 0.95, Inputs.X, false);

  public OnnxExport {
    if (!(interval > 0 && interval < 1))
      throw new IllegalArgumentException(
          "the interval must lie between 0 and 1, got " + interval + "; 0.95 is usual");
  }

  public OnnxExport withOf(Of of) {
    return new OnnxExport(Optional.of(of), interval, inputs, float32);
  }

  public OnnxExport withInterval(double level) {
    return new OnnxExport(wanted, level, inputs, float32);
  }

  public OnnxExport withInputs(Inputs inputs) {
    return new OnnxExport(wanted, interval, inputs, float32);
  }

  public OnnxExport withFloat32(boolean float32) {
    return new OnnxExport(wanted, interval, inputs, float32);
  }

  /// The quantity to predict with a model.
  Of of(Model model) {
    Likelihood likelihood = model.likelihood();
    Of of = wanted.orElse(likelihood.usual());
    if (!likelihood.has(of)) likelihood.law(of, 1); // fails and lists the possible ones
    return of;
  }

  /// Writes a file and returns its content. If that fails, no file is left.
  public OnnxFile write(Model model, Path file) throws IOException {
    Graph graph = ModelGraph.of(model, this);
    Message all =
        new Message()
            .number(1, IR_VERSION)
            .text(2, "lovelace")
            .text(3, Options.Maker.LIBRARY.version())
            .message(7, graph.message("lovelace"))
            .message(8, new Message().text(1, "").number(2, Graph.OPSET))
            .message(8, new Message().text(1, Graph.ML).number(2, Graph.ML_OPSET));
    SequencedMap<String, String> metadata = Metadata.of(model, this);
    if (float32) metadata.put(Metadata.PREFIX + "error", Float32Error.of(model, this).toString());
    metadata.forEach((key, value) -> all.message(14, entry(key, value)));
    long bytes = all.size() + 100;
    if (bytes > MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the graph takes %.1f GB, but an ONNX file holds at most 2.1 GB; fit with a coarser grid, or write float32, which is half as long",
              bytes / 1e9));
    AtomicFile.write(
        file,
        temporary -> {
          try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(temporary))) {
            DigestOutputStream digest = new DigestOutputStream(out, OnnxFile.sha256());
            all.write(digest);
            MessageDigest made = digest.getMessageDigest();
            String hash = HexFormat.of().formatHex(made.digest());
            new Message().message(14, entry(HASH, hash)).write(out);
          }
        });
    return OnnxFile.read(file);
  }

  private static Message entry(String key, String value) {
    return new Message().text(1, key).text(2, value);
  }
}
