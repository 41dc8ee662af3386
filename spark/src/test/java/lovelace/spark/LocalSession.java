package lovelace.spark;

import org.apache.spark.sql.SparkSession;

/// The one session of all tests, which ends with the virtual machine.
final class LocalSession {

  private static final SparkSession SHARED =
      SparkSession.builder()
          .master("local[2,3]") // a task may fail twice
          .config("spark.ui.enabled", false)
          .config("spark.sql.warehouse.dir", "target/warehouse")
          .config("spark.sql.shuffle.partitions", 2)
          .config("spark.default.parallelism", 2)
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .getOrCreate();

  private LocalSession() {}

  static SparkSession session() {
    return SHARED;
  }
}
