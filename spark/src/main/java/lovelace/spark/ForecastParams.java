package lovelace.spark;

import org.apache.spark.ml.param.DoubleArrayParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/// The params that [LovelaceForecaster] and [LovelaceForecastModel] share: columns, and the
/// intervals to write.
///
/// @param <S> the class itself, which setters return
public interface ForecastParams<S extends ForecastParams<S>> extends Params {

  /// The params themselves.
  SharedForecastParams shared();

  /// This object, which setters return.
  S self();

  /// The columns that tell series apart; none if the data set is one series.
  default StringArrayParam idCols() {
    return shared().idCols;
  }

  default String[] getIdCols() {
    return getOrDefault(idCols());
  }

  default S setIdCols(String[] value) {
    set(idCols(), value);
    return self();
  }

  /// The column of times: dates, timestamps, numbers, or texts such as `2020Q1`.
  default Param<String> timeCol() {
    return shared().timeCol;
  }

  default String getTimeCol() {
    return getOrDefault(timeCol());
  }

  default S setTimeCol(String value) {
    set(timeCol(), value);
    return self();
  }

  /// The column of values.
  default Param<String> targetCol() {
    return shared().targetCol;
  }

  default String getTargetCol() {
    return getOrDefault(targetCol());
  }

  default S setTargetCol(String value) {
    set(targetCol(), value);
    return self();
  }

  /// The intervals to write, in percent: 80 writes `lo-80` and `hi-80`.
  default DoubleArrayParam levels() {
    return shared().levels;
  }

  default double[] getLevels() {
    return getOrDefault(levels());
  }

  default S setLevels(double[] value) {
    set(levels(), value);
    return self();
  }
}
