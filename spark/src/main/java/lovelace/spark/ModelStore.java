package lovelace.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.UUID;
import lovelace.data.Trust;
import lovelace.io.AtomicFile;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsReader$;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.SparkSession;

/// Reads and writes a saved [LovelaceModel]: Spark's metadata, and beside it `model.lovelace`, a
/// model file that the command line and the library can also read.
final class ModelStore {

  private static final String FILE = "model.lovelace";
  static final String TRUST = "spark.lovelace.trustCode";

  private ModelStore() {}

  static FileSystem files(Path path, SparkSession session) throws IOException {
    return path.getFileSystem(session.sparkContext().hadoopConfiguration());
  }

  /// Writes a file that appears only when it is complete. It is on disk before this returns, if the
  /// file system can promise that. The file must not exist yet.
  static void write(Path file, byte[] bytes, SparkSession session) throws IOException {
    FileSystem files = files(file, session);
    Path target = files.makeQualified(file);
    files.mkdirs(target.getParent());
    if ("file".equals(target.toUri().getScheme())) {
      AtomicFile.write(java.nio.file.Path.of(target.toUri()), bytes);
      return;
    }
    Path temporary = new Path(target.getParent(), "." + target.getName() + "." + UUID.randomUUID());
    try {
      try (FSDataOutputStream out = files.create(temporary, false)) {
        out.write(bytes);
        if (out.hasCapability(StreamCapabilities.HSYNC)) out.hsync();
      }
      if (!files.rename(temporary, target))
        throw new IOException(
            "'%1$s' cannot be written: the file system refused to rename '%2$s' to it; check whether '%1$s' already exists"
                .formatted(target, temporary));
    } finally {
      files.delete(temporary, false);
    }
  }

  /// Reads a model file. A network that is code needs `spark.lovelace.trustCode=true` in the
  /// session's configuration. This also holds for the stages of a pipeline.
  static ShippedModel read(Path file, SparkSession session) throws IOException {
    try (InputStream in = files(file, session).open(file)) {
      return ShippedModel.of(in.readAllBytes(), trust(session));
    }
  }

  private static Trust trust(SparkSession session) {
    return Boolean.parseBoolean(session.conf().get(TRUST, "false")) ? Trust.CODE : Trust.DATA;
  }

  /// Writes a saved model.
  static final class Writer extends MLWriter {
    private final LovelaceModel model;

    Writer(LovelaceModel model) {
      this.model = model;
    }

    @Override
    public void saveImpl(String path) {
      DefaultParamsWriter.saveMetadata(model, path, sparkSession());
      Path file = new Path(path, FILE);
      try {
        ModelStore.write(file, model.shipped().bytes(), sparkSession());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// Reads a saved model.
  static final class Reader extends MLReader<LovelaceModel> {

    @Override
    public LovelaceModel load(String path) {
      DefaultParamsReader.Metadata metadata =
          DefaultParamsReader$.MODULE$.loadMetadata(
              path, sparkSession(), LovelaceModel.class.getName());
      Path file = new Path(path, FILE);
      try {
        LovelaceModel model =
            LovelaceModel.of(metadata.uid(), ModelStore.read(file, sparkSession()));
        metadata.getAndSetParams(model, metadata.getAndSetParams$default$2());
        return model;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
