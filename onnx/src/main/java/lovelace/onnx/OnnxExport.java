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
import lovelace.Fit;
import lovelace.Model;
import lovelace.io.AtomicFile;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;

/// Writes models as ONNX graphs: one graph a file, which any ONNX runtime evaluates without this
/// library. Its outputs are `mean`, `variance`, `stddev`, `lower`, `upper` and `outside`, one value
/// a row, in the units of the table. Immutable.
///
/// ```java
/// OnnxExport.DEFAULT.withInterval(0.9).write(model, Path.of("model.onnx"));
/// ```
///
/// Models on a grid can be written, and their files hold no rows. A model that answers from rows it
/// holds, and whatever else a graph cannot say, is refused with an [IllegalArgumentException] that
/// says why and what to do.
///
/// @param wanted what predictions are of; empty for the rate or probability where there is one,
///   else the function
/// @param interval the probability between `lower` and `upper`
/// @param inputs what the graph reads
/// @param float32 whether its numbers are of 32 bits, not 64
public record OnnxExport(Optional<Of> wanted, double interval, Inputs inputs, boolean float32) {

  /// The most bytes of a protobuf message, and so of an ONNX file.
  static final long MOST = Integer.MAX_VALUE;

  /// The metadata that is the hash of everything before it.
  static final String HASH = "lovelace.sha256";

  private static final int IR_VERSION = 8; // the newest that Debian 12's checker knows

  /// What a graph reads.
  public enum Inputs {
    /// One tensor `x` of rows and columns; words are their places among those of their column.
    X,
    /// One tensor a column, by its name; words are texts.
    COLUMNS;

    /// The word for people: `x` or `columns`.
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Of the usual, with intervals of 95 %, one tensor `x`, in float64.
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

  /// What predictions of a model are of.
  Of of(Model model) {
    Likelihood likelihood = model.likelihood();
    Of of = wanted.orElse(likelihood.usual());
    if (!likelihood.has(of)) likelihood.law(of, 1); // says what there is
    return of;
  }

  /// Writes a file, whole or not at all, and returns what stands in it.
  public OnnxFile write(Model model, Path file) throws IOException {
    Graph graph = ModelGraph.of(model, this);
    Message all =
        new Message()
            .number(1, IR_VERSION)
            .text(2, "lovelace")
            .text(3, Fit.Maker.LIBRARY.version())
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
