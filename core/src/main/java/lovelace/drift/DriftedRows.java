package lovelace.drift;

import java.util.Optional;
import java.util.function.BiFunction;
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
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.WrappedRows;
import org.jspecify.annotations.Nullable;

/// The posterior of rows whose mean is linear in some columns, with the coefficients integrated
/// out: `A = FᵀV⁻¹F`, where V is the engine's covariance of the observations. It is exact if the
/// engine is. [#logMarginalLikelihood] is the restricted likelihood. Immutable.
public final class DriftedRows extends Drifted implements WrappedRows {

  /// This many rows suffice to distinguish poor start values from better ones.
  private static final int START_ROWS = 300;

  private final Dataset data;
  private final LinearRows gp; // of the residuals, over the features
  private final LinearRows.Others terms;

  private DriftedRows(
      Dataset data, Trend trend, @Nullable FeatureMap map, LinearRows gp, LinearRows.Others terms) {
    super(trend, map);
    this.data = data;
    this.gp = gp;
    this.terms = terms;
  }

  /// Conditions on rows with all columns of the model.
  ///
  /// @param map from the columns of the process to its features, null if there is none
  /// @param process of the features of the rows with any target, and with a mean of zero
  public static DriftedRows of(
      Dataset data, Terms terms, @Nullable FeatureMap map, LinearRows process) {
    int n = data.size();
    int q = terms.size();
    double[] f = terms.basis(data.inputs());
    double[][] columns = columns(f, n, q);
    LinearRows.Others others = process.others(columns);
    double[][] duals = new double[q][];
    for (int j = 0; j < q; j++) duals[j] = others.dual(j);
    double[] system = new double[q * q];
    for (int i = 0; i < q; i++)
      for (int j = 0; j < q; j++)
        system[i * q + j] =
            0.5 * (Trend.product(columns[i], duals[j]) + Trend.product(columns[j], duals[i]));
    Trend trend = Trend.of(terms, new double[q], system);
    double[] e = data.target();
    for (int round = 0; round < 2; round++) { // the second removes the rounding of a large mean
      double[] slope = new double[q];
      for (int j = 0; j < q; j++) slope[j] = Trend.product(duals[j], e);
      double[] beta = trend.beta();
      double[] more = trend.solve(slope);
      for (int j = 0; j < q; j++) beta[j] += more[j];
      trend = Trend.of(terms, beta, system);
      e = data.target().clone();
      for (int i = 0; i < n; i++) e[i] -= trend.mean(f, i * q);
    }
    return new DriftedRows(data, trend, map, process.of(e), others);
  }

  /// The features of rows with all columns of the model.
  public static Dataset features(Dataset data, Terms terms, @Nullable FeatureMap map) {
    Dataset seen = data.keeping(IntStream.range(0, terms.process()).toArray());
    return map == null ? seen : MappedRows.features(map, seen);
  }

  private static double[][] columns(double[] f, int n, int q) {
    double[][] columns = new double[q][n];
    for (int i = 0; i < n; i++) for (int j = 0; j < q; j++) columns[j][i] = f[i * q + j];
    return columns;
  }

  /// The restricted likelihood of rows with all columns of the model. Its rough version is exact,
  /// for at most 300 rows.
  ///
  /// @param process the process of features
  public static Learnable likelihood(
      Dataset data,
      Terms terms,
      @Nullable FeatureMap map,
      String name,
      BiFunction<Dataset, Hyperparameters, LinearRows> process) {
    Dataset features = features(data, terms, map);
    return new Learnable() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Evidence evidence(Hyperparameters h, WarmStart start) {
        DriftedRows rows = of(data, terms, map, process.apply(features, h));
        return new Evidence(rows.logMarginalLikelihood(), rows.likelihoodGradient(), 0);
      }

      @Override
      public Learnable rough() {
        return data.size() <= START_ROWS
            ? this
            : likelihood(data.thinned(START_ROWS), terms, map, "exact", ExactGp::of);
      }
    };
  }

  /// The posterior of the residuals, over the features of the process.
  @Override
  public LinearRows inner() {
    return gp;
  }

  @Override
  LinearRows process() {
    return gp;
  }

  @Override
  Prediction predict(double[] features, double[] means) {
    return gp.predict(features, terms, means);
  }

  @Override
  double[] means(double[] features) {
    return terms.means(features);
  }

  @Override
  double[] means(Areas areas) {
    return terms.means(areas);
  }

  /// The rows with all columns and the transformed target.
  @Override
  public Dataset data() {
    return data;
  }

  @Override
  public DriftedRows with(Dataset rows, Hyperparameters hyperparameters) {
    Dataset features = features(rows, trend.terms(), map());
    return of(rows, trend.terms(), map(), (LinearRows) gp.with(features, hyperparameters));
  }

  /// The restricted likelihood, [Trend#restricted].
  @Override
  public double logMarginalLikelihood() {
    return trend.restricted(gp.logMarginalLikelihood());
  }

  /// `∂/∂θ (−½ log|A|) = ½ Σⱼ f̃ⱼᵀV⁻¹ ∂V/∂θ V⁻¹f̃ⱼ` with whitened terms `F̃ = FL⁻ᵀ`. The derivative
  /// of the likelihood in β is zero.
  @Override
  public double[] likelihoodGradient() {
    double[] f = trend.terms().basis(data.inputs());
    return gp.restrictedGradient(trend.whitened(columns(f, data.size(), trend.terms().size())));
  }

  @Override
  public long bytes() {
    return gp.bytes() + 8L * data.size() * (data.dimensions() + 2 * trend.terms().size());
  }

  @Override
  public long jointBytes(int points) {
    return gp.jointBytes(points);
  }

  @Override
  public double operations(int points) {
    return gp.operations(points);
  }

  @Override
  public long panelBytes(int points) {
    return gp.panelBytes(points);
  }

  /// The distribution of each observation given all others, coefficients included, where the engine
  /// is exact: as [ExactGp#leaveOneOut] with `V⁻¹ − V⁻¹FA⁻¹FᵀV⁻¹` in place of V⁻¹.
  @Override
  public Optional<Prediction> leftOut() {
    return gp.leftOut().map(this::withCoefficients);
  }

  private Prediction withCoefficients(Prediction known) {
    int n = data.size();
    int q = trend.terms().size();
    double[][] duals = new double[q][];
    for (int j = 0; j < q; j++) duals[j] = terms.dual(j);
    double[][] whitened = trend.whitened(duals);
    double[] means = new double[n];
    double[] variances = new double[n];
    double[] e = gp.data().target();
    for (int i = 0; i < n; i++) {
      double precision = 1 / known.variance(i);
      double dual = (e[i] - known.mean(i)) * precision;
      for (int j = 0; j < q; j++) precision -= whitened[j][i] * whitened[j][i];
      variances[i] = 1 / precision;
      means[i] = data.target()[i] - dual * variances[i];
    }
    return Prediction.adopt(means, variances);
  }
}
