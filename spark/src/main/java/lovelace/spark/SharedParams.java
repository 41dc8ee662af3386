package lovelace.spark;

import java.io.Serializable;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/// The params of [LovelaceParams] with their rules and defaults.
final class SharedParams implements Serializable {

  private static final long serialVersionUID = 1;
  final Param<String> featuresCol;
  final StringArrayParam inputCols;
  final Param<String> labelCol;
  final Param<String> weightCol;
  final Param<String> predictionCol;
  final Param<String> varianceCol;
  final Param<String> intervalCol;
  final Param<String> outsideCol;
  final Param<String> drawsCol;
  final Param<String> sizeCol;
  final DoubleParam level;
  final IntParam draws;
  final LongParam seed;
  final Param<String> of;
  final BooleanParam includeNoise;
  final Param<String> handleInvalid;
  final Param<String> outside;
  final IntParam aggregationDepth;

  SharedParams(Params parent) {
    featuresCol =
        new Param<>(
            parent, "featuresCol", "the vector column of inputs", Rule.column("featuresCol"));
    inputCols =
        new StringArrayParam(
            parent,
            "inputCols",
            "the input columns, in place of featuresCol: numbers, booleans or text",
            Rule.columns("inputCols"));
    labelCol = new Param<>(parent, "labelCol", "the column of the target", Rule.column("labelCol"));
    weightCol =
        new Param<>(
            parent,
            "weightCol",
            "the column of row sizes to learn from: weights (noise variance is noise/weight), exposures, trials, or the inverse of a known noise variance, depending on the likelihood; 1 unless set",
            Rule.column("weightCol"));
    predictionCol =
        new Param<>(
            parent,
            "predictionCol",
            "the column that gets the posterior mean",
            Rule.column("predictionCol"));
    varianceCol =
        new Param<>(
            parent,
            "varianceCol",
            "the column that gets the posterior variance; not written unless set",
            Rule.column("varianceCol"));
    intervalCol =
        new Param<>(
            parent,
            "intervalCol",
            "the column that gets an interval, an array of its lower and upper end; not written unless set",
            Rule.column("intervalCol"));
    outsideCol =
        new Param<>(
            parent,
            "outsideCol",
            "the column that says whether a row lies outside the region that the model covers; not written unless set",
            Rule.column("outsideCol"));
    drawsCol =
        new Param<>(
            parent,
            "drawsCol",
            "the column that gets values of functions drawn from the posterior, an array; not written unless set",
            Rule.column("drawsCol"));
    sizeCol =
        new Param<>(
            parent,
            "sizeCol",
            "the column of sizes of the observations to predict, with of = observation: exposures, trials, weights, or the inverse of a known noise variance; 1 unless set",
            Rule.column("sizeCol"));
    level =
        new DoubleParam(
            parent, "level", "the probability that an interval holds", Rule.between("level", 0, 1));
    draws =
        new IntParam(
            parent,
            "draws",
            "how many functions are drawn, the same ones for all rows",
            Rule.atLeast("draws", 1));
    seed = new LongParam(parent, "seed", "the seed of draws, of probes and of start values");
    of =
        new Param<>(
            parent,
            "of",
            "what to predict: function, rate, probability or observation; unless set, the rate or the probability where the likelihood has one, else the function",
            Rule.oneOf("of", "function", "rate", "probability", "observation"));
    includeNoise = new BooleanParam(parent, "includeNoise", "true is the same as of = observation");
    handleInvalid =
        new Param<>(
            parent,
            "handleInvalid",
            "what to do with a row that has a missing or infinite value: error (fail), skip (drop the row), or keep (learn nothing from it; null in the columns that transform adds)",
            Rule.oneOf("handleInvalid", "error", "skip", "keep"));
    outside =
        new Param<>(
            parent,
            "outside",
            "what a fit does with a row outside the given bounds: error or skip",
            Rule.oneOf("outside", "error", "skip"));
    aggregationDepth =
        new IntParam(
            parent,
            "aggregationDepth",
            "the depth of treeAggregate; 2 or more helps with many partitions",
            Rule.atLeast("aggregationDepth", 1));
  }

  /// Sets the defaults of these params on their parent.
  void setDefaults(Params parent) {
    parent.setDefault(featuresCol, "features");
    parent.setDefault(labelCol, "label");
    parent.setDefault(predictionCol, "prediction");
    parent.setDefault(level, 0.95);
    parent.setDefault(draws, 10);
    parent.setDefault(seed, 1L);
    parent.setDefault(includeNoise, false);
    parent.setDefault(handleInvalid, "error");
    parent.setDefault(outside, "error");
    parent.setDefault(aggregationDepth, 2);
  }
}
