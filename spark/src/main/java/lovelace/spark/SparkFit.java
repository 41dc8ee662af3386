package lovelace.spark;

import java.util.Arrays;
import java.util.Locale;
import lovelace.posterior.Certificate;
import lovelace.posterior.internal.RowPosterior;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// Fits a model to a Parquet table in a cluster, saves it, and writes the table with predictions:
///
/// ```
/// spark-submit --class lovelace.spark.SparkFit --jars LIB/*.jar lovelace-spark.jar \
///   TABLE.parquet TARGET INPUT,INPUT MODEL OUT.parquet [KERNEL]
/// ```
public final class SparkFit {

  private SparkFit() {}

  public static void main(String[] arguments) {
    if (arguments.length < 5 || arguments.length > 6)
      throw new IllegalArgumentException(
          "SparkFit takes TABLE TARGET INPUTS MODEL OUT [KERNEL], got "
              + Arrays.toString(arguments));
    SparkSession session = SparkSession.builder().appName("lovelace").getOrCreate();
    try {
      System.out.println(run(session, arguments));
    } finally {
      session.stop();
    }
  }

  /// Runs as the arguments say, and returns a line about the model.
  static String run(SparkSession session, String... arguments) {
    Dataset<Row> table = session.read().parquet(arguments[0]);
    LovelaceRegressor regressor =
        new LovelaceRegressor()
            .setLabelCol(arguments[1])
            .setInputCols(arguments[2].split(",", -1))
            .setVarianceCol("variance");
    if (arguments.length == 6) regressor.setKernel(arguments[5]);
    LovelaceModel fitted = regressor.fit(table);
    try {
      fitted.write().overwrite().save(arguments[3]);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    fitted.transform(table).write().mode("overwrite").parquet(arguments[4]);
    return String.format(
        Locale.ROOT,
        "%,d rows, %s, %s",
        fitted.model().count(),
        fitted.model().hyperparameters().kernel(),
        fitted
            .model()
            .certificate()
            .map(Certificate::toString)
            .or(() -> fitted.model().held().map(RowPosterior::summary))
            .orElseThrow());
  }
}
