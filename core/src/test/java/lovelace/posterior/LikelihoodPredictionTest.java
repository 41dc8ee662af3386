package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Law;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;

class LikelihoodPredictionTest {

  private static final double[] NONE = {};

  private static Prediction latent() {
    return Prediction.adopt(
        new double[] {-0.4, 1.2},
        new double[] {0.25, 0.04},
        new byte[] {0, Prediction.mark(true, false)});
  }

  @Test
  void everyNumberIsThatOfTheLaw() {
    Likelihood poisson = Likelihood.poisson();
    double[] sizes = {2, 10};
    Prediction counts = latent().of(poisson, Of.OBSERVATION, sizes);
    for (int i = 0; i < 2; i++) {
      Law law = poisson.law(Of.OBSERVATION, sizes[i]);
      double m = i == 0 ? -0.4 : 1.2;
      double v = i == 0 ? 0.25 : 0.04;
      assertEquals(law.mean(m, v), counts.mean(i));
      assertEquals(law.variance(m, v), counts.variance(i));
      assertEquals(law.quantile(m, v, 0.9), counts.quantile(i, 0.9));
      assertEquals(law.quantile(m, v, 0.025), counts.lower(i, 0.95));
      assertEquals(law.quantile(m, v, 0.975), counts.upper(i, 0.95));
      assertEquals(law.logDensity(3, m, v), counts.logDensity(i, 3));
      assertEquals(law.cumulative(3, m, v), counts.cumulative(i, 3));
      assertEquals(counts.quantile(i, 0.9), counts.quantileAt(i, Gaussian.quantile(0.9)));
    }
    assertTrue(counts.discrete());
    assertTrue(counts.outside(1));
    assertEquals(Optional.of(poisson), counts.likelihood());
    assertEquals(Optional.of(Of.OBSERVATION), counts.of());
    assertEquals(Optional.empty(), latent().likelihood());
    assertEquals(Optional.empty(), latent().of());
    assertFalse(latent().discrete());
  }

  @Test
  void linksTakeDeviationsAsTheyAre() {
    Prediction rate = latent().of(Likelihood.poisson(), Of.RATE, NONE);
    assertEquals(Math.exp(-0.4 + 9 * 0.5), rate.quantileAt(0, 9), 1e-12);
    Prediction probability = latent().of(Likelihood.bernoulli(), Of.PROBABILITY, NONE);
    assertEquals(1 / (1 + Math.exp(0.4 - 0.5)), probability.quantileAt(0, 1), 1e-15);
    Prediction function = latent().of(Likelihood.bernoulli(), Of.FUNCTION, NONE);
    assertEquals(-0.4 + 0.5, function.quantileAt(0, 1), 1e-15);
    assertEquals(0.25, function.variance(0));
    // of counts far out: no probability of 0 or 1 is asked for
    Prediction counts = latent().of(Likelihood.poisson(), Of.OBSERVATION, NONE);
    assertTrue(counts.quantileAt(0, 20) >= counts.quantileAt(0, 3));
    assertEquals(0, counts.quantileAt(0, -20));
  }

  @Test
  void noiseThatVariesTakesItsDeviationsFromTheirOwnPrediction() {
    Likelihood varying = Likelihood.varying();
    Prediction noise = Prediction.adopt(new double[] {-1, 0.3}, new double[] {0.2, 0});
    Prediction observed = latent().of(varying, Of.OBSERVATION, NONE, noise);
    assertEquals(0.25 + Math.exp(-2 + 0.4), observed.variance(0), 1e-14);
    assertEquals(0.04 + Math.exp(0.6), observed.variance(1), 1e-14);
    Prediction weighted = latent().of(varying, Of.OBSERVATION, new double[] {4, 4}, noise);
    assertEquals(0.04 + Math.exp(0.6) / 4, weighted.variance(1), 1e-14);
    assertEquals(0.04, latent().of(varying, Of.FUNCTION, NONE, noise).variance(1));
    assertThrows(IllegalArgumentException.class, () -> latent().of(varying, Of.OBSERVATION, NONE));
    Prediction other = Prediction.adopt(new double[] {0}, new double[] {1});
    assertThrows(
        IllegalArgumentException.class, () -> latent().of(varying, Of.OBSERVATION, NONE, other));
  }

  @Test
  void cumulativesOfGaussiansAndTransformsInvertTheirQuantiles() {
    for (TargetTransform transform :
        new TargetTransform[] {TargetTransform.NONE, TargetTransform.LOG}) {
      Prediction prediction = latent().undo(transform);
      for (double p : new double[] {0.1, 0.5, 0.97})
        assertEquals(p, prediction.cumulative(0, prediction.quantile(0, p)), 1e-13);
    }
    assertEquals(0, latent().undo(TargetTransform.LOG).cumulative(0, -1));
    Prediction sure = Prediction.adopt(new double[] {2}, new double[] {0});
    assertEquals(1, sure.cumulative(0, 2));
    assertEquals(0, sure.cumulative(0, 1.9));
  }

  @Test
  void drawsHaveTheMomentsOfThePrediction() {
    Prediction[] all = {
      latent().of(Likelihood.poisson(), Of.OBSERVATION, new double[] {3, 3}),
      latent().of(Likelihood.bernoulli(), Of.PROBABILITY, NONE),
      latent().undo(TargetTransform.LOG),
      latent()
    };
    for (Prediction prediction : all) {
      var random = new SplittableRandom(11);
      int n = 40_000;
      double sum = 0;
      double squares = 0;
      for (int k = 0; k < n; k++) {
        double y = prediction.draw(0, random);
        sum += y;
        squares += y * y;
      }
      double mean = sum / n;
      double sd = prediction.deviation(0);
      assertEquals(prediction.mean(0), mean, 4 * sd / Math.sqrt(n));
      assertEquals(sd, Math.sqrt(squares / n - mean * mean), 0.04 * sd);
    }
  }

  @Test
  void likelihoodsAndTransformsExcludeEachOther() {
    Prediction counts = latent().of(Likelihood.poisson(), Of.RATE, NONE);
    assertThrows(IllegalStateException.class, () -> counts.undo(TargetTransform.LOG));
    assertThrows(IllegalStateException.class, () -> counts.withNoise(0.1));
    assertThrows(IllegalStateException.class, () -> counts.withNoise(0.1, new double[] {1, 1}));
    assertThrows(IllegalStateException.class, () -> counts.of(Likelihood.poisson(), Of.RATE, NONE));
    Prediction undone = latent().undo(TargetTransform.LOG);
    assertThrows(IllegalStateException.class, () -> undone.of(Likelihood.poisson(), Of.RATE, NONE));
    assertThrows(
        IllegalArgumentException.class,
        () -> latent().of(Likelihood.poisson(), Of.RATE, new double[] {1}));
    assertThrows(
        IllegalArgumentException.class,
        () -> latent().of(Likelihood.poisson(), Of.OBSERVATION, new double[] {1, -1}));
    assertThrows(
        IllegalArgumentException.class, () -> latent().of(Likelihood.gaussian(), Of.RATE, NONE));
  }
}
