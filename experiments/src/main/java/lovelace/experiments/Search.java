package lovelace.experiments;

import java.util.ArrayList;
import java.util.List;
import lovelace.bayesopt.Acquisition;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.Tuning;
import lovelace.bayesopt.surrogate.Surrogates;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.example.TestFunction;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.kernel.Parameter.Prior;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;

/// The paper's two searches by max-value entropy search, and the models of their data.
public enum Search {
  /// Two inputs and one RBF kernel over both.
  EGGHOLDER(2, 512),
  /// Ten inputs and a sum of ten RBF kernels, one of each.
  STYBLINSKI_TANG(10, 5);

  private final int dimensions;
  private final double bound;

  Search(int dimensions, double bound) {
    this.dimensions = dimensions;
    this.bound = bound;
  }

  public int dimensions() {
    return dimensions;
  }

  private TestFunction function() {
    return this == EGGHOLDER ? TestFunction.eggholder() : TestFunction.styblinskiTang(dimensions);
  }

  /// The observations of a search after `count` queries: inputs in the unit cube, values negated
  /// and standardised.
  public Dataset queries(int count, long seed) {
    Tuning tuning = Tuning.DEFAULT.withAcquisition(Acquisition.MES).withSeed(seed);
    if (this == STYBLINSKI_TANG) {
      List<List<Integer>> groups = new ArrayList<>();
      for (int a = 0; a < dimensions; a++) groups.add(List.of(a));
      tuning = tuning.withSurrogates(Surrogates.DEFAULT.withShape("rbf").withGroups(groups));
    }
    TestFunction function = function();
    double[] x = new double[dimensions * count];
    double[] y = new double[count];
    try (Tuner tuner = Tuner.of(function.space(), tuning)) {
      for (int i = 0; i < count; i++) {
        Point p = tuner.ask();
        tuner.tell(p, function.at(p));
      }
      for (Observation o : tuner.history()) {
        int i = o.number() - 1;
        for (int a = 0; a < dimensions; a++)
          x[dimensions * i + a] = (o.point().number("x" + (a + 1)) + bound) / (2 * bound);
        y[i] = -o.value();
      }
    }
    double mean = MaximumDistribution.mean(y);
    double deviation = MaximumDistribution.deviation(y);
    for (int i = 0; i < count; i++) y[i] = (y[i] - mean) / deviation;
    return Dataset.of(x, dimensions, y);
  }

  /// The hyperparameters with the largest posterior density.
  public Hyperparameters learn(Dataset data) {
    Kernel kernel =
        this == EGGHOLDER
            ? Kernel.rbf().bind(2)
            : Kernel.additive(Kernel.rbf().times(Double.NaN), dimensions).bind(dimensions);
    Hyperparameters start =
        Hyperparameters.of(kernel, Double.NaN, PriorMean.constant())
            .withPrior("noise", Prior.logNormal(-4, 1))
            .withBounds("noise", 1e-4, 1);
    for (Parameter parameter : start.parameters()) {
      String path = parameter.path();
      if (path.endsWith("lengthscale") && this == EGGHOLDER)
        start = start.withPrior(path, Prior.logNormal(Math.sqrt(2), Math.sqrt(3)));
      else if (path.endsWith("lengthscale"))
        start =
            start.withPrior(path, Prior.logNormal(Math.log(0.4), 0.5)).withBounds(path, 0.05, 5);
      else if (path.endsWith("outputscale") && this != EGGHOLDER)
        start = start.withPrior(path, Prior.logNormal(-2, 1)).withBounds(path, 1e-3, 10);
    }
    return Learner.DEFAULT
        .withOptimizer(Lbfgs.DEFAULT)
        .learn(ExactGp.likelihood(data), start, data, 1)
        .hyperparameters();
  }
}
