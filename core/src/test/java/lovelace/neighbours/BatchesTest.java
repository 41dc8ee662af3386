package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import org.junit.jupiter.api.Test;

class BatchesTest {

  private static Dataset rows(int n) {
    SplittableRandom random = new SplittableRandom(n);
    double[] x = random.doubles(4L * n).toArray();
    double[] y = random.doubles(n).map(u -> u - x[(int) (u * n)]).toArray();
    return Dataset.of(x, 4, y);
  }

  private static Hyperparameters like(double... lengthscales) {
    Kernel kernel = Kernel.matern32(lengthscales).times(0.3).bind(4);
    return Hyperparameters.of(kernel, 0.05, PriorMean.constant(0.1));
  }

  /// Batches share the terms out: their mean over one round is the likelihood of all rows.
  @Test
  void aRoundOfBatchesIsTheWhole() {
    int rounds = 4;
    Dataset data = rows(rounds * Batches.SIZE);
    Hyperparameters h = like(0.5, 0.7, 1, 2);
    Batches batches = new Batches(data, h, 4, 9);
    double value = 0;
    double[] gradient = new double[h.size()];
    WarmStart next = WarmStart.NONE;
    for (int i = 0; i < rounds; i++) {
      Evidence one = batches.evidence(h, next);
      next = one.next();
      value += one.value() / rounds;
      for (int j = 0; j < gradient.length; j++) gradient[j] += one.gradient()[j] / rounds;
    }
    Evidence all = VecchiaLikelihood.of(data, h, 4, 9).evidence(h);
    assertEquals(all.value(), value, 1e-9 * Math.abs(value));
    for (int j = 0; j < gradient.length; j++)
      assertEquals(all.gradient()[j], gradient[j], 1e-8 * (1 + Math.abs(gradient[j])));
    // the next round has the same terms in other batches
    assertNotEquals(batches.evidence(h).value(), batches.evidence(h, next).value());
  }

  @Test
  void theSameTurnGivesTheSameBits() {
    Dataset data = rows(900);
    Hyperparameters h = like(0.5, 0.7, 1, 2);
    Batches batches = new Batches(data, h, 4, 9);
    Evidence first = batches.evidence(h);
    Evidence second = batches.evidence(h, first.next());
    assertEquals(first.value(), new Batches(data, h, 4, 9).evidence(h).value());
    assertArrayEquals(second.gradient(), batches.evidence(h, first.next()).gradient());
    assertNotEquals(first.value(), new Batches(data, h, 4, 10).evidence(h).value());
  }

  /// Neighbours stay as they are until the next pool, which has those of the present lengthscales.
  @Test
  void neighboursAreFoundAgainForTheNextPool() {
    Dataset data = rows(Batches.SIZE);
    Hyperparameters before = like(0.2, 0.2, 5, 5);
    Hyperparameters after = like(5, 5, 0.2, 0.2);
    Batches batches = new Batches(data, before, 4, 9);
    double old = VecchiaLikelihood.of(data, before, 4, 9).evidence(after).value();
    double found = VecchiaLikelihood.of(data, after, 4, 9).evidence(after).value();
    WarmStart next = batches.evidence(before).next();
    for (int step = 1; step <= Batches.STEPS; step++) {
      Evidence one = batches.evidence(after, next);
      next = one.next();
      double expected = step < Batches.STEPS ? old : found;
      assertEquals(expected, one.value(), 1e-9 * Math.abs(expected), "step " + step);
    }
  }

  /// Of more rows than a pool holds each pool has others.
  @Test
  void poolsOfManyRowsDiffer() {
    int n = Batches.STEPS * Batches.SIZE + 2000;
    Dataset data = rows(n);
    Hyperparameters h = like(0.5, 0.7, 1, 2);
    Batches batches = new Batches(data, h, 1, 9);
    double all = VecchiaLikelihood.of(data, h, 1, 9).evidence(h).value();
    double mean = 0;
    double error = 0;
    WarmStart next = WarmStart.NONE;
    int steps = 2 * Batches.STEPS;
    for (int step = 0; step < steps; step++) {
      Evidence one = batches.evidence(h, next);
      next = one.next();
      mean += one.value() / steps;
      error = one.standardError();
    }
    // each pool leaves rows out, so two rounds are an estimate
    assertNotEquals(all, mean);
    assertEquals(all, mean, 4 * error / Math.sqrt(steps));
  }
}
