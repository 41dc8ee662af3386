package lovelace.spark;

import java.util.Locale;
import lovelace.posterior.Certificate;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// Fits and scores in a session on this machine, on rows that are made in the partitions:
///
/// ```
/// java $SPARK_FLAGS -cp "spark/target/classes:$CLASSPATH" lovelace.spark.LocalExample [ROWS]
/// ```
public final class LocalExample {

  private LocalExample() {}

  public static void main(String[] arguments) {
    long rows = arguments.length > 0 ? Long.parseLong(arguments[0]) : 1_000_000;
    SparkSession session =
        SparkSession.builder()
            .master("local[*]")
            .appName("lovelace")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    try {
      System.out.print(run(session, rows));
    } finally {
      session.stop();
    }
  }

  /// Fits so many rows and tells of the model and of three predictions.
  static String run(SparkSession session, long rows) {
    Dataset<Row> made =
        session
            .range(rows)
            .selectExpr("id", "rand(1) as a", "rand(2) as b", "randn(3) as e")
            .selectExpr("a", "b", "sin(5 * a) * cos(4 * b) + 0.3 * e as z");
    LovelaceModel model =
        new LovelaceRegressor().setInputCols(new String[] {"a", "b"}).setLabelCol("z").fit(made);
    StringBuilder said = new StringBuilder();
    said.append(
        String.format(
            Locale.ROOT,
            "%,d rows: %s, noise %.4f%n%s%n",
            model.model().count(),
            model.model().hyperparameters().kernel(),
            model.model().noise(),
            model.model().certificate().map(Certificate::toString).orElse("exact")));
    Dataset<Row> places =
        session.range(3).selectExpr("0.2D + 0.3D * id as a", "0.9D - 0.2D * id as b");
    for (Row row :
        model
            .setVarianceCol("variance")
            .setIntervalCol("interval")
            .transform(places)
            .collectAsList())
      said.append(
          String.format(
              Locale.ROOT,
              "f(%.1f, %.1f) = %.4f, standard deviation %.4f%n",
              row.getDouble(0),
              row.getDouble(1),
              row.getDouble(2),
              Math.sqrt(row.getDouble(3))));
    return said.toString();
  }
}
