package lovelace.spark;

import java.io.Serializable;
import java.util.stream.Stream;
import lovelace.forecast.Bands;
import org.apache.spark.ml.param.DoubleArrayParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/// The params of [ForecastParams] with their rules and defaults.
final class SharedForecastParams implements Serializable {

  private static final long serialVersionUID = 1;
  final StringArrayParam idCols;
  final Param<String> timeCol;
  final Param<String> targetCol;
  final DoubleArrayParam levels;

  SharedForecastParams(Params parent) {
    idCols =
        new StringArrayParam(
            parent,
            "idCols",
            "the columns that tell series apart; none if the data set is one series",
            new Rule<>(
                "idCols",
                "name columns, each once",
                (Rule.Check<String[]>)
                    names ->
                        Stream.of(names).noneMatch(String::isBlank)
                            && Stream.of(names).distinct().count() == names.length));
    timeCol = new Param<>(parent, "timeCol", "the column of times", Rule.column("timeCol"));
    targetCol = new Param<>(parent, "targetCol", "the column of values", Rule.column("targetCol"));
    levels =
        new DoubleArrayParam(
            parent,
            "levels",
            "the intervals to write, in percent",
            new Rule<>(
                "levels",
                "be percentages from 1 to below 100",
                (Rule.Check<double[]>)
                    values -> {
                      Bands.of(values);
                      return true;
                    }));
  }

  /// Sets the defaults of these params on their parent.
  void setDefaults(Params parent) {
    parent.setDefault(idCols, new String[] {"unique_id"});
    parent.setDefault(timeCol, "ds");
    parent.setDefault(targetCol, "y");
    parent.setDefault(levels, Bands.DEFAULT.levels());
  }
}
