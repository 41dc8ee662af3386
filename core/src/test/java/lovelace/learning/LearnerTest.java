package lovelace.learning;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.krylov.KrylovEngine;
import lovelace.optimize.Lbfgs;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;

class LearnerTest {

  private static final int SEED = 3;
  private static final Learner BRIEF =
      Learner.DEFAULT.withOptimizer(Lbfgs.DEFAULT.withMaxIterations(3));

  /// Writes down what every evaluation starts from and what it hands on.
  private record Recorded(Learnable likelihood, List<WarmStart> given, List<WarmStart> left)
      implements Learnable {

    @Override
    public String name() {
      return likelihood.name();
    }

    @Override
    public Evidence evidence(Hyperparameters h, WarmStart start) {
      Evidence evidence = likelihood.evidence(h, start);
      given.add(start);
      left.add(evidence.next());
      return evidence;
    }
  }

  /// A slow wave with a fast one on it. Two terms of one kernel would otherwise stay the same.
  @Test
  void equalTermsLearnDifferentLengthscales() {
    var random = new SplittableRandom(SEED);
    double[] x = random.doubles(70).map(u -> 10 * u).toArray();
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++)
      y[i] = 2 * Math.sin(0.7 * x[i]) + 0.5 * Math.sin(6 * x[i]) + 0.05 * random.nextGaussian();
    Dataset data = Dataset.of(x, 1, y);
    Hyperparameters unset =
        Hyperparameters.of(Kernel.parse("rbf + rbf").bind(1), Double.NaN, PriorMean.ZERO);
    Hyperparameters h =
        Learner.DEFAULT.learn(ExactGp.likelihood(data), unset, data, 1).hyperparameters();
    double first = h.parameter("rbf.lengthscale").values()[0];
    double second = h.parameter("rbf2.lengthscale").values()[0];
    assertTrue(first > 3 * second || second > 3 * first, h.toString());
  }

  private static Dataset rows() {
    var random = new SplittableRandom(SEED);
    int n = 120;
    double[] x = random.doubles(2L * n, -1, 1).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(4 * x[2 * i]) + 0.3 * random.nextGaussian();
    return Dataset.of(x, 2, y);
  }

  private static Recorded krylov(Dataset rows) {
    Axis axis = Axis.covering(-1, 1, 10);
    GridStatistics statistics =
        GridStatistics.of(Grid.of(axis, axis), rows.inputs(), rows.target());
    var engine = new KrylovEngine(statistics, KrylovEngine.Options.DEFAULT.withProbes(8));
    return new Recorded(engine, new ArrayList<>(), new ArrayList<>());
  }

  private static Hyperparameters unset() {
    return Hyperparameters.of(
        Kernel.parse("matern32").bind(2), Double.NaN, PriorMean.named("constant", 2));
  }

  @Test
  void everyEvaluationStartsFromTheOneBefore() {
    Dataset rows = rows();
    Recorded recorded = krylov(rows);
    Learned learned = BRIEF.learn(recorded, unset(), rows, 2);
    int steps = recorded.given.size();
    assertSame(recorded.left.getLast(), learned.next());
    Learned known = learned.withErrors(recorded);
    assertTrue(recorded.given.size() > steps);
    assertSame(WarmStart.NONE, recorded.given.getFirst());
    for (int i = 1; i < recorded.given.size(); i++)
      assertSame(recorded.left.get(i - 1), recorded.given.get(i), "evaluation " + i);
    assertEquals(learned.hyperparameters().size(), known.standardErrors().size());
    assertTrue(known.likelihoodError() > 0, "an estimate has an error");
    assertSame(WarmStart.NONE, known.next());
  }

  @Test
  void learningAgainGivesTheSameBits() {
    Dataset rows = rows();
    Recorded recorded = krylov(rows);
    Learned one = BRIEF.learn(recorded, unset(), rows, 1);
    Learned other = BRIEF.learn(recorded, unset(), rows, 1);
    assertArrayEquals(one.hyperparameters().values(), other.hyperparameters().values(), 0);
    assertEquals(one.logLikelihood(), other.logLikelihood(), 0);
    assertEquals(one.trace(), other.trace());
    assertEquals(
        one.withErrors(recorded).standardErrors(), other.withErrors(recorded).standardErrors());
  }
}
