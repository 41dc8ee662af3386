package lovelace.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import lovelace.data.Trust;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsReader$;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.SparkSession;

/// A saved [LovelaceModel]: Spark's metadata, and beside it `model.lovelace`, a model file that the
/// command line and the library read too.
final class ModelStore {

  private static final String FILE = "model.lovelace";
  private static final String TRUST = "spark.lovelace.trustCode";

  private ModelStore() {}

  private static FileSystem files(Path path, SparkSession session) throws IOException {
    return path.getFileSystem(session.sparkContext().hadoopConfiguration());
  }

  /// Writes one.
  static final class Writer extends MLWriter {
    private final LovelaceModel model;

    Writer(LovelaceModel model) {
      this.model = model;
    }

    @Override
    public void saveImpl(String path) {
      DefaultParamsWriter.saveMetadata(model, path, sparkSession());
      Path file = new Path(path, FILE);
      try (OutputStream out = files(file, sparkSession()).create(file, true)) {
        out.write(model.shipped().bytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// Reads one. A network that is code needs `spark.lovelace.trustCode=true` in the session's
  /// configuration, which holds for the stages of a pipeline too.
  static final class Reader extends MLReader<LovelaceModel> {

    private Trust trust() {
      return Boolean.parseBoolean(sparkSession().conf().get(TRUST, "false"))
          ? Trust.CODE
          : Trust.DATA;
    }

    @Override
    public LovelaceModel load(String path) {
      DefaultParamsReader.Metadata metadata =
          DefaultParamsReader$.MODULE$.loadMetadata(
              path, sparkSession(), LovelaceModel.class.getName());
      Path file = new Path(path, FILE);
      try (InputStream in = files(file, sparkSession()).open(file)) {
        LovelaceModel model =
            LovelaceModel.of(metadata.uid(), ShippedModel.of(in.readAllBytes(), trust()));
        metadata.getAndSetParams(model, metadata.getAndSetParams$default$2());
        return model;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
