package lovelace.spark;

import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/// Keeps a model up to date with a stream: every micro-batch adds its sums. A batch that Spark
/// hands over again is known by its number and not counted twice.
///
/// ```java
/// StreamUpdates updates = new StreamUpdates(model);
/// stream.writeStream().foreachBatch(updates).start();
/// updates.model().transform(places);
/// ```
public final class StreamUpdates implements VoidFunction2<Dataset<Row>, Long> {

  private static final long serialVersionUID = 1;
  private volatile LovelaceModel model;
  private long last = -1;

  public StreamUpdates(LovelaceModel model) {
    this.model = model;
  }

  @Override
  public synchronized void call(Dataset<Row> batch, Long number) {
    if (number <= last) return;
    model = model.updated(batch);
    last = number;
  }

  /// The model of all batches so far.
  public LovelaceModel model() {
    return model;
  }
}
