package lovelace.spark;

import static lovelace.spark.LocalSession.session;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import lovelace.Model;
import lovelace.likelihood.Likelihood.Of;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Params: there once, each with a getter, a setter and a rule.
class ParamsTest {

  private static final Path SAVED = Path.of("src/test/resources/saved");

  private static Set<String> names(Params of) {
    return Arrays.stream(of.params())
        .map(Param::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyParamHasAGetterAndASetter() throws ReflectiveOperationException, IOException {
    LovelaceRegressor regressor = new LovelaceRegressor();
    LovelaceModel model =
        new LovelaceModel("model", Model.load(SAVED.resolve("model/model.lovelace")));
    assertEquals(18, names(model).size());
    assertEquals(29, names(regressor).size());
    assertTrue(names(regressor).containsAll(names(model)));
    for (Params each : List.of(regressor, model))
      for (Param<?> param : each.params()) {
        String name =
            param.name().substring(0, 1).toUpperCase(java.util.Locale.ROOT)
                + param.name().substring(1);
        var getter = each.getClass().getMethod("get" + name);
        if (each.hasDefault(param))
          assertEquals(each.getOrDefault(param), getter.invoke(each), param.name());
        each.getClass().getMethod("set" + name, getter.getReturnType());
      }
  }

  @Test
  void aWrongValueIsRefusedWhenItIsSet() {
    LovelaceRegressor r = new LovelaceRegressor();
    refused("level must lie between 0.0 and 1.0, got 1.0", () -> r.setLevel(1));
    refused("level must lie between 0.0 and 1.0, got NaN", () -> r.setLevel(Double.NaN));
    refused("draws must be at least 1, got 0", () -> r.setDraws(0));
    refused("aggregationDepth must be at least 1, got 0", () -> r.setAggregationDepth(0));
    refused(
        "handleInvalid must be one of error, skip, keep, got 'drop'",
        () -> r.setHandleInvalid("drop"));
    refused("outside must be one of error, skip, got 'keep'", () -> r.setOutside("keep"));
    refused("of must be one of function, rate, probability, observation", () -> r.setOf("mean"));
    refused("mean must be one of zero, constant, linear, got 'cubic'", () -> r.setMean("cubic"));
    refused("engine: engine must be one of auto", () -> r.setEngine("magic"));
    refused("kernel: ", () -> r.setKernel("2*"));
    refused("likelihood: ", () -> r.setLikelihood("poison"));
    refused("transform: ", () -> r.setTransform("root"));
    refused("gridPoints: ", () -> r.setGridPoints("many"));
    refused("tolerance must lie between 0.0 and 1.0, got 0.0", () -> r.setTolerance(0));
    refused("bounds must be low < high of every input", () -> r.setBounds(new double[] {1, 0}));
    refused("bounds must be low < high of every input", () -> r.setBounds(new double[1]));
    refused(
        "parameters: a parameter is written name=value",
        () -> r.setParameters(new String[] {"noise"}));
    refused(
        "fixed: the value of 'noise' is not a number in 'noise=low'",
        () -> r.setFixed(new String[] {"noise=low"}));
    refused(
        "inputCols must name at least one column, each once, got [a, a]",
        () -> r.setInputCols(new String[] {"a", "a"}));
    for (Param<?> param : r.params())
      if (param.name().endsWith("Col"))
        refused(
            param.name() + " must name a column, got ' '",
            () -> r.set(r.getParam(param.name()), " "));
  }

  private static void refused(String message, Executable what) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, what);
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.getMessage());
  }

  @Test
  void aCopyHasTheExtraValues() {
    LovelaceRegressor regressor = new LovelaceRegressor().setKernel("matern32").setLevel(0.5);
    LovelaceRegressor copy = regressor.copy(new ParamMap().put(regressor.level(), 0.8));
    assertEquals("matern32", copy.getKernel());
    assertEquals(0.8, copy.getLevel());
    assertEquals(0.5, regressor.getLevel());
    assertEquals(regressor.uid(), copy.uid());
  }

  /// Files that were written before params were shared and `outsideCol` was there.
  @Test
  void whatWasSavedBeforeIsStillRead() throws IOException {
    SparkSession spark = session(); // loading looks for one
    LovelaceRegressor regressor = LovelaceRegressor.load(SAVED.resolve("regressor").toString());
    assertEquals("12", regressor.getGridPoints());
    assertArrayEquals(new double[] {0, 1}, regressor.getBounds());
    assertEquals("skip", regressor.getHandleInvalid());
    LovelaceModel model = LovelaceModel.load(SAVED.resolve("model").toString());
    assertEquals("lovelace_saved", model.uid());
    assertEquals(0.9, model.getLevel());
    Model file = Model.load(SAVED.resolve("model/model.lovelace"));
    var expected = file.predict(new double[] {0.25}, Of.OBSERVATION);
    Row row = model.transform(spark.sql("select 0.25D as x")).first();
    assertEquals(expected.mean(0), row.<Double>getAs("prediction"), 0);
    assertEquals(expected.variance(0), row.<Double>getAs("variance"), 0);
    assertEquals(
        20,
        regressor
            .fit(session().range(20).selectExpr("id / 19D as x", "sin(6 * id / 19D) as z"))
            .model()
            .count());
  }
}
