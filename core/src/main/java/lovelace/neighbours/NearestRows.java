package lovelace.neighbours;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.kernel.Hyperparameters;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.HeldRows;
import lovelace.posterior.internal.PredictionArrays;
import org.jspecify.annotations.Nullable;

/// A process of rows. Each prediction uses the rows nearest to it.
public abstract class NearestRows extends HeldRows {

  /// The number of points that one task works on.
  protected static final int CHUNK = 32;

  /// The number of points that are predicted at a time.
  protected static final int BATCH = 8192;

  private final int neighbours;
  private volatile @Nullable Evidence evidence; // null until it is needed

  /// Holds rows under any likelihood.
  protected NearestRows(Dataset data, Hyperparameters h, double noise, int neighbours) {
    super(data, h, noise);
    this.neighbours = neighbours;
  }

  /// Holds rows with Gaussian noise.
  protected NearestRows(Dataset data, Hyperparameters h, int neighbours) {
    super(data, h);
    this.neighbours = neighbours;
  }

  /// The number of neighbours of a prediction that was asked for. If there are fewer rows, it uses
  /// all of them.
  public final int neighbours() {
    return neighbours;
  }

  @Override
  public final Engine engine() {
    return Engine.NEIGHBOURS;
  }

  @Override
  public final OptionalInt nearestRows() {
    return OptionalInt.of(neighbours());
  }

  @Override
  public final String summary() {
    return String.format(Locale.ROOT, "of the %,d nearest rows", neighbours());
  }

  /// Predicts at points, a batch at a time. A variance below `50 ε √k k(x, x)` cannot be
  /// distinguished from rounding. Then that bound is reported instead and marked.
  protected final Prediction predict(double[] points, Batch batch) {
    int d = dimensions();
    int t = count(points);
    var all = new PredictionArrays(t);
    for (int from = 0; from < t; from += BATCH) {
      int to = Math.min(t, from + BATCH);
      batch.predict(Arrays.copyOfRange(points, from * d, to * d), from, all);
    }
    return all.done();
  }

  /// Predicts at points that are few enough to hold the neighbours of all.
  @FunctionalInterface
  protected interface Batch {
    /// Predicts at points x, and writes from an offset on.
    void predict(double[] x, int offset, PredictionArrays all);
  }

  /// The share of a prior variance below which a posterior variance cannot be distinguished from
  /// rounding.
  protected static double rounding(int used) {
    return 50 * Math.ulp(1.0) * Math.sqrt(used);
  }

  @Override
  protected final long covarianceBytes(int rows, int columns) {
    return jointBytes(rows + columns);
  }

  @Override
  protected final double[] covariance(double[] a, int rows, double[] b, int columns, boolean same) {
    double[] all = Arrays.copyOf(a, same ? a.length : a.length + b.length);
    if (!same) System.arraycopy(b, 0, all, a.length, b.length);
    return covariance(all, rows, same ? 0 : rows, columns);
  }

  /// The covariance of the first points with some of them, from the one numbered `from` on.
  protected abstract double[] covariance(double[] points, int rows, int from, int columns);

  /// Computes the likelihood of the rows.
  protected abstract Evidence computeEvidence();

  /// The likelihood of the rows. It is computed once, when it is first needed.
  protected final Evidence evidence() {
    Evidence known = evidence;
    if (known == null)
      synchronized (this) {
        known = evidence;
        if (known == null) {
          known = computeEvidence();
          evidence = known;
        }
      }
    return known;
  }

  @Override
  public double logMarginalLikelihood() {
    return evidence().value();
  }

  @Override
  public final double[] likelihoodGradient() {
    return evidence().gradient();
  }
}
