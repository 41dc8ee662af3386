/// Lovelace in Spark ML. Begin with [LovelaceRegressor]. Spark makes the one pass over the rows and
/// scores; the driver learns. The package imports core and Spark.
@NullMarked
package lovelace.spark;

import org.jspecify.annotations.NullMarked;
