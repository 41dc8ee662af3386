package lovelace.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// Keeps a model up to date with a stream: every micro-batch adds its sums, and the model is
/// written to a folder before Spark commits the batch.
///
/// ```java
/// StreamUpdates updates = new StreamUpdates(model, "hdfs:///models/tides");
/// stream.writeStream().option("checkpointLocation", checkpoint).foreachBatch(updates).start();
/// updates.model().transform(places);
/// ```
///
/// The folder holds the model file of the last batch and the one before. A file is named by the
/// query and the number of the last batch that it has learned from. It appears only when it is
/// complete. After a restart, a new object with the same folder continues from the newest file, and
/// a batch that Spark sends again is not counted twice. The folder belongs to the query's
/// checkpoint: a query with another checkpoint is refused, and so is a folder that lacks batches.
///
/// The folder may lie on any file system that Spark reaches.
public final class StreamUpdates implements VoidFunction2<Dataset<Row>, Long> {

  private static final long serialVersionUID = 1;

  private static final Pattern NAME = Pattern.compile("batch-(\\d+)-(.+)\\.lovelace");
  private static final String QUERY = "sql.streaming.queryId"; // as Spark tells a batch's thread
  private static final int KEPT = 2;

  /// A model file in the folder.
  private record Stored(Path file, long number, String query) {}

  private final String folder;
  private volatile LovelaceModel model;
  private String query = ""; // the query of these batches; empty before the first
  private long last = -1;

  /// Continues from the newest model in a folder, or begins with `model` if there is none yet.
  ///
  /// @param model the first model; its columns and settings hold for all batches
  /// @param folder the folder of the model files, a path or an address such as
  ///   `hdfs:///models/tides`
  public StreamUpdates(LovelaceModel model, String folder) {
    this.folder = folder;
    this.model = model;
    try {
      List<Stored> stored = stored(files(SparkSession.active()));
      if (stored.isEmpty()) return;
      Stored newest = stored.getLast();
      this.model = model.replaced(ModelStore.read(newest.file(), SparkSession.active()));
      query = newest.query();
      last = newest.number();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the models in '%s' cannot be read: %s".formatted(folder, e.getMessage()), e);
    }
  }

  private FileSystem files(SparkSession session) throws IOException {
    return ModelStore.files(new Path(folder), session);
  }

  /// The model files in the folder, oldest first.
  private List<Stored> stored(FileSystem files) throws IOException {
    List<Stored> found = new ArrayList<>();
    if (!files.exists(new Path(folder))) return found;
    for (FileStatus status : files.listStatus(new Path(folder))) {
      Matcher name = NAME.matcher(status.getPath().getName());
      if (name.matches())
        found.add(new Stored(status.getPath(), Long.parseLong(name.group(1)), name.group(2)));
    }
    found.sort(Comparator.comparingLong(Stored::number));
    return found;
  }

  @Override
  public synchronized void call(Dataset<Row> batch, Long number) throws IOException {
    SparkSession session = batch.sparkSession();
    String now = session.sparkContext().getLocalProperty(QUERY);
    if (now == null) now = "by-hand";
    if (!query.isEmpty() && !query.equals(now))
      throw new IllegalStateException(
          ("'%s' holds the batches of another query (%s, this one is %s), whose numbers mean other rows;"
                  + " use the checkpoint that belongs to the folder, or another folder")
              .formatted(folder, query, now));
    if (number <= last) return;
    if (number > last + 1)
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              ("batch %d comes after batch %d in '%s': batches %d to %d are not in the model;"
                  + " use the folder that belongs to the checkpoint, or a new checkpoint"),
              number,
              last,
              folder,
              last + 1,
              number - 1));
    LovelaceModel next = model.updated(batch);
    FileSystem files = files(session);
    Path file = new Path(folder, "batch-" + number + "-" + now + ".lovelace");
    ModelStore.write(file, next.shipped().bytes(), session);
    model = next;
    query = now;
    last = number;
    List<Stored> stored = stored(files);
    for (Stored old : stored.subList(0, Math.max(0, stored.size() - KEPT)))
      files.delete(old.file(), false);
  }

  /// The model of all batches so far.
  public LovelaceModel model() {
    return model;
  }
}
