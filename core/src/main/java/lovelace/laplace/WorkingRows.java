package lovelace.laplace;

import java.util.function.BiFunction;
import lovelace.data.Dataset;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;

/// Working observations as rows of a posterior that holds its rows: a chain, or sites.
public final class WorkingRows implements WorkingProcess {

  private final String name;
  private final double[] places;
  private final int dimensions;
  private final BiFunction<Dataset, Hyperparameters, RowPosterior> condition;

  /// @param places row-major; not copied
  /// @param condition computes the posterior of rows under parameters
  public WorkingRows(
      String name,
      double[] places,
      int dimensions,
      BiFunction<Dataset, Hyperparameters, RowPosterior> condition) {
    this.name = name;
    this.places = places;
    this.dimensions = dimensions;
    this.condition = condition;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return places.length / dimensions;
  }

  @Override
  public double[] prior(Hyperparameters working) {
    return prior(working, places, dimensions);
  }

  static double[] prior(Hyperparameters working, double[] places, int dimensions) {
    double[] mu = new double[places.length / dimensions];
    for (int i = 0; i < mu.length; i++) mu[i] = working.mean().at(places, i * dimensions);
    return mu;
  }

  @Override
  public Solution solve(
      Hyperparameters working, double[] weights, double[] targets, WarmStart start) {
    return new Solved(working, weights, targets);
  }

  private final class Solved implements Solution {
    private final Hyperparameters working;
    private final double[] weights;
    private final double[] targets;
    private final RowPosterior posterior;
    private @Nullable Prediction prediction;

    Solved(Hyperparameters working, double[] weights, double[] targets) {
      this.working = working;
      this.weights = weights;
      this.targets = targets;
      posterior = condition.apply(Dataset.of(places, dimensions, targets, weights), working);
    }

    private Prediction prediction() {
      Prediction known = prediction;
      if (known == null) prediction = known = posterior.predict(places);
      return known;
    }

    @Override
    public double[] means() {
      return prediction().means();
    }

    @Override
    public double[] variances() {
      return prediction().variances();
    }

    @Override
    public double evidence() {
      return posterior.logMarginalLikelihood();
    }

    @Override
    public double[] gradient(double[] delta) {
      double[] g = posterior.likelihoodGradient();
      double[] up = moved(delta, 1).posterior.likelihoodGradient();
      double[] down = moved(delta, -1).posterior.likelihoodGradient();
      for (int k = 0; k < g.length; k++) g[k] += 0.5 * (up[k] - down[k]);
      return g;
    }

    private Solved moved(double[] delta, int sign) {
      double[] z = targets.clone();
      for (int i = 0; i < z.length; i++) z[i] += sign * delta[i];
      return with(z);
    }

    /// The mean for the targets μ + δ is μ + P diag(w) δ.
    @Override
    public double[] response(double[] delta) {
      double[] mu = prior(working);
      double[] z = mu.clone();
      for (int i = 0; i < z.length; i++) z[i] += delta[i];
      double[] f = with(z).means().clone();
      for (int i = 0; i < f.length; i++) f[i] -= mu[i];
      return f;
    }

    private Solved with(double[] others) {
      return new Solved(working, weights, others);
    }

    @Override
    public WarmStart next() {
      return WarmStart.NONE;
    }
  }
}
