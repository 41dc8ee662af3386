package lovelace.spark;

import static lovelace.spark.LocalSession.session;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Counts and classes in a local session.
class LikelihoodSparkTest {

  private static final int ROWS = 60;
  private static final double[] X = new double[ROWS];
  private static final double[] CALLS = new double[ROWS];
  private static final double[] HOURS = new double[ROWS];

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < ROWS; i++) {
      X[i] = i / 10.0;
      HOURS[i] = 1 + i % 3;
      CALLS[i] =
          Likelihood.poisson().law(Of.OBSERVATION, HOURS[i]).draw(Math.sin(X[i]) + 1, random);
    }
  }

  private static org.apache.spark.sql.Dataset<Row> frame() {
    StructType schema =
        new StructType()
            .add("x", DataTypes.DoubleType)
            .add("calls", DataTypes.DoubleType)
            .add("hours", DataTypes.DoubleType)
            .add("busy", DataTypes.DoubleType);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++)
      rows.add(RowFactory.create(X[i], CALLS[i], HOURS[i], CALLS[i] > 3 * HOURS[i] ? 1.0 : 0.0));
    return session().createDataFrame(rows, schema).coalesce(1);
  }

  private static LovelaceRegressor regressor(String likelihood, String label) {
    return new LovelaceRegressor()
        .setInputCols(new String[] {"x"})
        .setLabelCol(label)
        .setLikelihood(likelihood)
        .setKernel("matern32")
        .setEngine("exact")
        .setTraining(false)
        .setParameters(new String[] {"lengthscale=1", "outputscale=1", "mean=0"});
  }

  private static Model local() {
    return Fit.DEFAULT
        .withLikelihood("poisson")
        .withEngine(Engine.EXACT)
        .withKernel("matern32")
        .withTraining(false)
        .set("lengthscale", 1)
        .set("outputscale", 1)
        .set("mean", 0)
        .to(Dataset.of(X, 1, CALLS).withWeights(HOURS));
  }

  @Test
  void countsAreLearnedWithTheirExposure() {
    LovelaceModel model = regressor("poisson", "calls").setWeightCol("hours").fit(frame());
    Model local = local();
    assertEquals(
        local.logMarginalLikelihood(),
        model.model().logMarginalLikelihood(),
        1e-8,
        () -> model.model() + " and " + local);
    assertEquals(
        local.with(Dataset.of(X, 1, CALLS).withWeights(HOURS)).logMarginalLikelihood(),
        model.updated(frame()).model().logMarginalLikelihood(),
        1e-8,
        "with all rows once more");
    for (String of : List.of("", "function", "observation")) {
      LovelaceModel asked = model.copy(ParamMap.empty());
      if (!of.isEmpty()) asked.setOf(of);
      asked.setVarianceCol("variance").setIntervalCol("interval");
      Prediction p =
          local.predict(
              X,
              switch (of) {
                case "function" -> Of.FUNCTION;
                case "observation" -> Of.OBSERVATION;
                default -> Of.RATE;
              });
      List<Row> scored = asked.transform(frame()).collectAsList();
      for (int i = 0; i < ROWS; i++) {
        assertEquals(p.mean(i), scored.get(i).<Double>getAs("prediction"), 1e-8, of);
        assertEquals(p.variance(i), scored.get(i).<Double>getAs("variance"), 1e-8, of);
        List<Double> interval = scored.get(i).getList(scored.get(i).fieldIndex("interval"));
        assertEquals(p.upper(i, 0.95), interval.get(1), 1e-8, of);
      }
    }
  }

  @Test
  void drawsOnAGridAreOfTheRate() {
    LovelaceModel model =
        regressor("poisson", "calls").setEngine("auto").setWeightCol("hours").fit(frame());
    model.setDrawsCol("draws").setDraws(4);
    List<Row> rates = model.transform(frame()).collectAsList();
    List<Row> functions =
        model.copy(ParamMap.empty()).setOf("function").transform(frame()).collectAsList();
    for (int i = 0; i < ROWS; i++) {
      List<Double> rate = rates.get(i).getList(rates.get(i).fieldIndex("draws"));
      List<Double> f = functions.get(i).getList(functions.get(i).fieldIndex("draws"));
      for (int k = 0; k < 4; k++)
        assertEquals(Math.exp(f.get(k)), rate.get(k), 1e-12 * rate.get(k));
    }
  }

  @Test
  void classesAreScoredAsProbabilitiesAndKept() throws IOException {
    LovelaceModel model = regressor("bernoulli", "busy").fit(frame());
    String file = folder.resolve("busy").toString();
    model.write().save(file);
    LovelaceModel loaded = LovelaceModel.load(file);
    List<Row> scored = loaded.transform(frame()).collectAsList();
    double[] expected = model.model().predict(X, Of.PROBABILITY).means();
    for (int i = 0; i < ROWS; i++) {
      double p = scored.get(i).<Double>getAs("prediction");
      assertEquals(expected[i], p, 1e-9);
      assertTrue(p > 0 && p < 1);
    }
  }

  @Test
  void wrongSettingsAreRefusedWithWhatThereIs() {
    LovelaceModel model = regressor("poisson", "calls").fit(frame());
    refused(
        "likelihood poisson can predict only function, rate, observation",
        () -> model.copy(ParamMap.empty()).setOf("probability").transform(frame()));
    refused(
        "set one of the two",
        () -> model.copy(ParamMap.empty()).setOf("rate").setIncludeNoise(true).transform(frame()));
    refused("a class must be 0 or 1", () -> regressor("bernoulli", "calls").fit(frame()));
    refused("poisson", () -> regressor("poison", "calls").fit(frame()));
  }

  private static void refused(String message, Executable what) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, what);
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }
}
