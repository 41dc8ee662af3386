package lovelace.spark;

import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/// The params that [LovelaceRegressor] and [LovelaceModel] share: columns, the quantity to predict,
/// and the treatment of rows that cannot be used. Each has a method for the param, a getter and a
/// setter. As everywhere in Spark, the getter throws `NoSuchElementException` if the param is not
/// set and has no default.
///
/// @param <S> the class itself, which setters return
public interface LovelaceParams<S extends LovelaceParams<S>> extends Params {

  /// The params themselves.
  SharedParams shared();

  /// This object, which setters return.
  S self();

  /// The vector column of inputs.
  default Param<String> featuresCol() {
    return shared().featuresCol;
  }

  default String getFeaturesCol() {
    return getOrDefault(featuresCol());
  }

  default S setFeaturesCol(String value) {
    set(featuresCol(), value);
    return self();
  }

  /// The input columns, in place of featuresCol: numbers, booleans or text.
  default StringArrayParam inputCols() {
    return shared().inputCols;
  }

  default String[] getInputCols() {
    return getOrDefault(inputCols());
  }

  default S setInputCols(String[] value) {
    set(inputCols(), value);
    return self();
  }

  /// The column of the target.
  default Param<String> labelCol() {
    return shared().labelCol;
  }

  default String getLabelCol() {
    return getOrDefault(labelCol());
  }

  default S setLabelCol(String value) {
    set(labelCol(), value);
    return self();
  }

  /// The column of row sizes to learn from: weights (noise variance is noise/weight), exposures,
  /// trials, or the inverse of a known noise variance, depending on the likelihood; 1 unless set.
  default Param<String> weightCol() {
    return shared().weightCol;
  }

  default String getWeightCol() {
    return getOrDefault(weightCol());
  }

  default S setWeightCol(String value) {
    set(weightCol(), value);
    return self();
  }

  /// The column that gets the posterior mean.
  default Param<String> predictionCol() {
    return shared().predictionCol;
  }

  default String getPredictionCol() {
    return getOrDefault(predictionCol());
  }

  default S setPredictionCol(String value) {
    set(predictionCol(), value);
    return self();
  }

  /// The column that gets the posterior variance; not written unless set.
  default Param<String> varianceCol() {
    return shared().varianceCol;
  }

  default String getVarianceCol() {
    return getOrDefault(varianceCol());
  }

  default S setVarianceCol(String value) {
    set(varianceCol(), value);
    return self();
  }

  /// The column that gets an interval, an array of its lower and upper end; not written unless set.
  default Param<String> intervalCol() {
    return shared().intervalCol;
  }

  default String getIntervalCol() {
    return getOrDefault(intervalCol());
  }

  default S setIntervalCol(String value) {
    set(intervalCol(), value);
    return self();
  }

  /// The column that says whether a row lies outside the region that the model covers; not written
  /// unless set.
  default Param<String> outsideCol() {
    return shared().outsideCol;
  }

  default String getOutsideCol() {
    return getOrDefault(outsideCol());
  }

  default S setOutsideCol(String value) {
    set(outsideCol(), value);
    return self();
  }

  /// The column that gets values of functions drawn from the posterior, an array; not written
  /// unless set.
  default Param<String> drawsCol() {
    return shared().drawsCol;
  }

  default String getDrawsCol() {
    return getOrDefault(drawsCol());
  }

  default S setDrawsCol(String value) {
    set(drawsCol(), value);
    return self();
  }

  /// The column of sizes of the observations to predict, with of = observation: exposures, trials,
  /// weights, or the inverse of a known noise variance; 1 unless set.
  default Param<String> sizeCol() {
    return shared().sizeCol;
  }

  default String getSizeCol() {
    return getOrDefault(sizeCol());
  }

  default S setSizeCol(String value) {
    set(sizeCol(), value);
    return self();
  }

  /// The probability that an interval holds.
  default DoubleParam level() {
    return shared().level;
  }

  default double getLevel() {
    return (double) getOrDefault(level());
  }

  default S setLevel(double value) {
    set(level(), value);
    return self();
  }

  /// The number of functions drawn, the same ones for all rows.
  default IntParam draws() {
    return shared().draws;
  }

  default int getDraws() {
    return (int) getOrDefault(draws());
  }

  default S setDraws(int value) {
    set(draws(), value);
    return self();
  }

  /// The seed of draws, of probes and of start values.
  default LongParam seed() {
    return shared().seed;
  }

  default long getSeed() {
    return (long) getOrDefault(seed());
  }

  default S setSeed(long value) {
    set(seed(), value);
    return self();
  }

  /// The quantity to predict: function, rate, probability or observation. The default is the rate
  /// or the probability if the likelihood has one, otherwise the function.
  default Param<String> of() {
    return shared().of;
  }

  default String getOf() {
    return getOrDefault(of());
  }

  default S setOf(String value) {
    set(of(), value);
    return self();
  }

  /// True is the same as of = observation.
  default BooleanParam includeNoise() {
    return shared().includeNoise;
  }

  default boolean getIncludeNoise() {
    return (boolean) getOrDefault(includeNoise());
  }

  default S setIncludeNoise(boolean value) {
    set(includeNoise(), value);
    return self();
  }

  /// The treatment of a row with a missing or infinite value: error (fail), skip (drop the row), or
  /// keep (learn nothing from it; null in the columns that transform adds).
  default Param<String> handleInvalid() {
    return shared().handleInvalid;
  }

  default String getHandleInvalid() {
    return getOrDefault(handleInvalid());
  }

  default S setHandleInvalid(String value) {
    set(handleInvalid(), value);
    return self();
  }

  /// The treatment by a fit of a row outside the given bounds: error or skip.
  default Param<String> outside() {
    return shared().outside;
  }

  default String getOutside() {
    return getOrDefault(outside());
  }

  default S setOutside(String value) {
    set(outside(), value);
    return self();
  }

  /// The depth of treeAggregate; 2 or more helps with many partitions.
  default IntParam aggregationDepth() {
    return shared().aggregationDepth;
  }

  default int getAggregationDepth() {
    return (int) getOrDefault(aggregationDepth());
  }

  default S setAggregationDepth(int value) {
    set(aggregationDepth(), value);
    return self();
  }
}
