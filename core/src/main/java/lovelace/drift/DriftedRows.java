package lovelace.drift;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.exact.ExactGp;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.Points;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;

/// The exact posterior of rows whose mean is linear in some columns, with the coefficients
/// integrated out, as [DriftedPosterior] on a lattice: `αⱼ = V⁻¹fⱼ`, `A = FᵀV⁻¹F`, and
/// [#logMarginalLikelihood] is the restricted likelihood. Immutable.
public final class DriftedRows implements RowPosterior {

  /// The rows that are enough to tell poor start values from better ones.
  private static final int START_ROWS = 300;

  private final Dataset data;
  private final Trend trend;
  private final RowPosterior process; // of the residuals
  private final ExactGp gp;
  private final double[][] duals;

  private DriftedRows(
      Dataset data, Trend trend, RowPosterior process, ExactGp gp, double[][] duals) {
    this.data = data;
    this.trend = trend;
    this.process = process;
    this.gp = gp;
    this.duals = duals;
  }

  /// Conditions on rows with all columns of the model.
  ///
  /// @param map what turns the columns of the process into its features, null where there is none
  /// @param h with a mean of zero
  public static DriftedRows of(
      Dataset data, Terms terms, @Nullable FeatureMap map, Hyperparameters h) {
    int n = data.size();
    int q = terms.size();
    Dataset seen = data.keeping(IntStream.range(0, terms.process()).toArray());
    ExactGp first = ExactGp.of(map == null ? seen : MappedRows.features(map, seen), h);
    double[] f = terms.basis(data.inputs());
    double[][] columns = new double[q][n];
    for (int i = 0; i < n; i++) for (int j = 0; j < q; j++) columns[j][i] = f[i * q + j];
    double[][] duals = new double[q][];
    for (int j = 0; j < q; j++) duals[j] = first.of(columns[j]).dual();
    double[] system = new double[q * q];
    for (int i = 0; i < q; i++)
      for (int j = 0; j < q; j++)
        system[i * q + j] =
            0.5 * (Trend.product(columns[i], duals[j]) + Trend.product(columns[j], duals[i]));
    Trend trend = Trend.of(terms, new double[q], system);
    double[] e = data.target();
    for (int round = 0; round < 2; round++) { // the second takes away the rounding of a large mean
      double[] slope = new double[q];
      for (int j = 0; j < q; j++) slope[j] = Trend.product(duals[j], e);
      double[] beta = trend.beta();
      double[] more = trend.solve(slope);
      for (int j = 0; j < q; j++) beta[j] += more[j];
      trend = Trend.of(terms, beta, system);
      e = data.target().clone();
      for (int i = 0; i < n; i++) e[i] -= trend.mean(f, i * q);
    }
    ExactGp gp = first.of(e);
    RowPosterior process = gp;
    if (map != null) {
      Dataset residuals = Dataset.of(seen.inputs(), seen.columns(), e, data.targetColumn());
      process =
          MappedRows.of(
              map, data.weighted() ? residuals.withWeights(data.weights()) : residuals, gp);
    }
    return new DriftedRows(data, trend, process, gp, duals);
  }

  /// The restricted likelihood of rows with all columns of the model.
  public static Learnable likelihood(Dataset data, Terms terms, @Nullable FeatureMap map) {
    return new Learnable() {
      @Override
      public String name() {
        return "exact";
      }

      @Override
      public Evidence evidence(Hyperparameters h, WarmStart start) {
        DriftedRows rows = of(data, terms, map, h);
        return new Evidence(rows.logMarginalLikelihood(), rows.likelihoodGradient(), 0);
      }

      @Override
      public Learnable rough() {
        return data.size() <= START_ROWS ? this : likelihood(data.thinned(START_ROWS), terms, map);
      }
    };
  }

  /// The coefficients.
  public Trend trend() {
    return trend;
  }

  /// What turns the columns of the process into its features, null where there is none.
  public @Nullable FeatureMap map() {
    return process instanceof MappedRows mapped ? mapped.map() : null;
  }

  /// The posterior of the residuals' process, over its own columns.
  public RowPosterior process() {
    return process;
  }

  @Override
  public String engine() {
    return process.engine();
  }

  @Override
  public int mostRows() {
    return process.mostRows();
  }

  /// The rows with all columns, the target as it is modelled.
  @Override
  public Dataset data() {
    return data;
  }

  @Override
  public Hyperparameters hyperparameters() {
    return gp.hyperparameters();
  }

  @Override
  public DriftedRows with(Dataset rows, Hyperparameters hyperparameters) {
    return of(rows, trend.terms(), map(), hyperparameters);
  }

  /// The restricted likelihood, [Trend#restricted].
  @Override
  public double logMarginalLikelihood() {
    return trend.restricted(gp.logMarginalLikelihood());
  }

  /// `∂/∂θ (−½ log|A|) = ½ Σⱼ f̃ⱼᵀV⁻¹ ∂V/∂θ V⁻¹f̃ⱼ` with whitened terms `F̃ = FL⁻ᵀ`, and β is where
  /// the likelihood is flat in it.
  @Override
  public double[] likelihoodGradient() {
    return gp.likelihoodGradient(trend.whitened(duals));
  }

  @Override
  public long bytes() {
    return process.bytes() + 8L * data.size() * (data.dimensions() + duals.length);
  }

  @Override
  public long jointBytes(int points) {
    return process.jointBytes(points);
  }

  @Override
  public long panelBytes(int points) {
    return process.panelBytes(points);
  }

  @Override
  public int dimensions() {
    return trend.terms().columns();
  }

  @Override
  public double noise() {
    return gp.noise();
  }

  private double[] seen(double[] points) {
    return trend.terms().seen(points, Points.check(points, dimensions()));
  }

  /// `βᵀf` and `r = f − m` of every point.
  private double[] trends(double[] points, double[] seen) {
    Terms terms = trend.terms();
    FeatureMap map = map();
    int q = terms.size();
    double[] m = gp.products(map == null ? seen : Points.features(map, seen), duals);
    int count = m.length / q;
    double[] out = new double[count * (q + 1)];
    for (int i = 0; i < count; i++) {
      int at = i * (q + 1);
      terms.basis(points, i * terms.columns(), out, at + 1);
      out[at] = trend.mean(out, at + 1);
      for (int j = 0; j < q; j++) out[at + 1 + j] -= m[i * q + j];
    }
    return out;
  }

  @Override
  public Prediction predict(double[] points) {
    double[] seen = seen(points);
    return trend.added(process.predict(seen), trends(points, seen));
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double[] covariance(double[] a, double[] b) {
    double[] left = seen(a);
    double[] right = a == b ? left : seen(b);
    double[] out = process.covariance(left, right);
    double[] mine = trends(a, left);
    trend.addCovariance(mine, a == b ? mine : trends(b, right), out);
    return out;
  }

  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    double[] seen = seen(points);
    double[] own =
        Areas.of(points, dimensions(), weights, starts)
            .means(1 + trend.terms().size(), trends(points, seen));
    return trend.added(process.average(seen, weights, starts), own);
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    double[] seen = seen(points);
    double[] draws = process.sample(seen, count, random);
    trend.addDraws(trends(points, seen), count, random, draws);
    return draws;
  }
}
