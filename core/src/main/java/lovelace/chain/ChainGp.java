package lovelace.chain;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Parallel;
import lovelace.markov.MaternTerm;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.HeldRows;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.Points;

/// The exact posterior of one Matérn-1/2, -3/2 or -5/2 kernel over one input, with white terms if
/// any, in O(n). The process is a Markov chain whose nodes are the places of the rows.
///
/// It is the same posterior as that of [lovelace.exact.ExactGp]. Rows at one place become one
/// observation of their weighted mean. Two passes along the places give the state (f and its
/// derivatives) at each place, given all rows. These states are stored. A prediction finds the
/// places next to its point, in constant time on average, and takes one exact step from each.
/// Nothing is approximated, between the places or beyond them. Variances are sums of squares.
///
/// Immutable; safe to share between threads. The same bits for any number of threads and in any
/// batch.
public final class ChainGp extends HeldRows implements LinearRows {

  /// The largest number of rows.
  public static final int MOST_ROWS = 5_000_000;

  private static final double LOG_2PI = Math.log(2 * Math.PI);
  private static final int CHUNK = 1024;

  private final MaternTerm term;
  private final double scale; // the process's standard deviation
  private final Chain chain;
  private final double logLikelihood;

  private ChainGp(Dataset data, Places places, Hyperparameters hyperparameters) {
    super(data, hyperparameters);
    term = MaternTerm.require(hyperparameters.kernel(), Engine.CHAIN);
    double amplitude = term.amplitude();
    requirePositive("the noise", noise);
    requirePositive("the output scale", amplitude);
    requirePositive("the lengthscale", term.lengthscale());
    scale = Math.sqrt(amplitude);
    int m = places.size();
    double[] precision = new double[m];
    double[] values = new double[m];
    for (int k = 0; k < m; k++) {
      precision[k] = Math.sqrt(places.weight[k] * (amplitude / noise));
      values[k] = (places.target[k] - hyperparameters.mean().at(places.at, k)) / scale;
    }
    chain =
        new Chain(
            places, term.order(), Math.sqrt(term.order()) / term.lengthscale(), precision, values);
    int n = places.rows;
    logLikelihood =
        chain.logLikelihood
            - 0.5 * (places.within / noise + n * (LOG_2PI + Math.log(noise)) - places.logWeights);
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException(
          name + " of a Markov chain must be > 0 and finite, got " + value);
  }

  /// Whether a kernel, bound to its columns, is a Markov chain.
  public static boolean serves(Kernel kernel) {
    return MaternTerm.of(kernel) != null;
  }

  /// About how many bytes the posterior of some rows takes, including the work to compute it.
  public static long bytes(Kernel kernel, long rows) {
    return Chain.bytes(MaternTerm.require(kernel, Engine.CHAIN).order(), rows) + 36 * rows;
  }

  /// Conditions the process on the rows. The arrays of the dataset are kept, not copied.
  public static ChainGp of(Dataset data, Hyperparameters hyperparameters) {
    requireMemory(data.size(), hyperparameters);
    return new ChainGp(data, Places.of(data), hyperparameters);
  }

  private static void requireMemory(int n, Hyperparameters h) {
    MaternTerm.require(h.kernel(), Engine.CHAIN);
    requireRows(
        n,
        MOST_ROWS,
        "a Markov chain over its rows takes",
        "",
        "use engine markov, which makes a grid");
    Budget.require(
        bytes(h.kernel(), n),
        String.format(Locale.ROOT, "the Markov chain of %,d rows", n),
        "use engine markov, which makes a grid,");
  }

  /// The likelihood of rows under any parameters of a kernel that is a chain. Sorts the rows only
  /// once.
  public static Learnable likelihood(Dataset data, Hyperparameters form) {
    requireMemory(data.size(), form);
    Places places = Places.of(data);
    return new Learnable() {
      @Override
      public String name() {
        return Engine.CHAIN.toString();
      }

      @Override
      public Evidence evidence(Hyperparameters h, WarmStart start) {
        ChainGp gp = new ChainGp(data, places, h);
        return new Evidence(gp.logMarginalLikelihood(), gp.likelihoodGradient(), 0);
      }
    };
  }

  @Override
  public Engine engine() {
    return Engine.CHAIN;
  }

  @Override
  public String summary() {
    return String.format(Locale.ROOT, "by the chain of %,d places", places());
  }

  @Override
  public int mostRows() {
    return MOST_ROWS;
  }

  @Override
  public long bytes() {
    return Chain.bytes(chain.order, chain.places.size()) + 28L * chain.places.size();
  }

  @Override
  public ChainGp with(Dataset rows, Hyperparameters other) {
    return rows == data ? new ChainGp(data, chain.places, other) : of(rows, other);
  }

  /// The number of distinct places of the rows.
  public int places() {
    return chain.places.size();
  }

  @Override
  public double logMarginalLikelihood() {
    return logLikelihood;
  }

  @Override
  public ChainGp of(double[] target) {
    Dataset rows = data.withTarget(target);
    return new ChainGp(rows, chain.places.with(rows), hyperparameters);
  }

  /// Makes a chain for each target.
  @Override
  public Others others(double[][] targets) {
    Budget.require(
        targets.length * bytes(),
        String.format(Locale.ROOT, "%d Markov chains", targets.length),
        "use engine markov, which makes a grid,");
    return new Chains(Arrays.stream(targets).map(this::of).toList());
  }

  /// The chains of other targets.
  private static final class Chains implements Others {
    private final List<ChainGp> chains;

    Chains(List<ChainGp> chains) {
      this.chains = chains;
    }

    /// `w(t − a)/σ²`.
    @Override
    public double[] dual(int j) {
      ChainGp gp = chains.get(j);
      double[] dual = new double[gp.data.size()];
      double[] x = gp.data.inputs();
      for (int i = 0; i < dual.length; i++) {
        double a = gp.hyperparameters.mean().at(x, i);
        a += gp.scale * gp.chain.mean(gp.chain.places.before(x[i]));
        dual[i] = gp.data.weight(i) * (gp.data.target()[i] - a) / gp.noise;
      }
      return dual;
    }

    @Override
    public double[] means(double[] points) {
      int t = Points.check(points, 1);
      int q = chains.size();
      double[] out = new double[t * q];
      Parallel.chunks(
          t,
          CHUNK,
          (chunk, from, to) -> {
            for (int j = 0; j < q; j++) {
              ChainGp gp = chains.get(j);
              var station = gp.chain.new Station();
              for (int i = from; i < to; i++) {
                station.approach(points[i]);
                out[i * q + j] =
                    gp.hyperparameters.mean().at(points, i) + gp.scale * station.mean[0];
              }
            }
          });
      return out;
    }
  }

  /// Uses Fisher's identity for amplitude and noise, and the adjoint of the chain for the
  /// lengthscale.
  @Override
  public double[] likelihoodGradient() {
    Places places = chain.places;
    PriorMean mean = hyperparameters.mean();
    double amplitude = term.amplitude();
    double misfit = places.within / noise; // E Σ w (y − f)²/σ²
    double[] dual = new double[mean.size()];
    double[] basis = new double[mean.size()];
    for (int k = 0; k < places.size(); k++) {
      double weight = places.weight[k] / noise;
      double off = places.target[k] - mean.at(places.at, k) - scale * chain.mean(k);
      misfit += weight * (off * off + amplitude * chain.variance(k));
      mean.basis(places.at, k, basis, 0);
      for (int i = 0; i < basis.length; i++) dual[i] += weight * off * basis[i];
    }
    double[] kernel =
        term.gradient(
            hyperparameters.kernel(),
            -chain.slope / term.lengthscale(),
            chain.excess / (2 * amplitude));
    double slope = (misfit - places.rows) / (2 * noise);
    return Evidence.gradient(hyperparameters, kernel, slope, dual);
  }

  @Override
  public Prediction predict(double[] points) {
    int t = Points.check(points, 1);
    double[] means = new double[t];
    double[] variances = new double[t];
    PriorMean mean = hyperparameters.mean();
    Parallel.chunks(
        t,
        CHUNK,
        (chunk, from, to) -> {
          var station = chain.new Station();
          for (int i = from; i < to; i++) {
            station.approach(points[i]);
            means[i] = mean.at(points, i) + scale * station.mean[0];
            variances[i] = term.amplitude() * station.variance();
          }
        });
    return Prediction.adopt(means, variances);
  }

  @Override
  public Prediction predict(double[] points, Others others, double[] means) {
    double[] own = others.means(points);
    System.arraycopy(own, 0, means, 0, own.length);
    return predict(points);
  }

  @Override
  protected long covarianceBytes(int rows, int columns) {
    return jointBytes(rows + columns);
  }

  @Override
  protected double[] covariance(double[] a, int ta, double[] b, int tb, boolean same) {
    double[] covariance = new double[ta * tb];
    Stops left = new Stops(chain, a);
    Stops right = same ? left : new Stops(chain, b);
    Carries carries =
        new Carries(
            chain, Math.min(left.first(), right.first()) + 1, Math.max(left.last(), right.last()));
    Parallel.forEach(
        ta,
        i -> {
          var station = chain.new Station();
          for (int j = 0; j < tb; j++)
            covariance[i * tb + j] =
                term.amplitude()
                    * (a[i] <= b[j]
                        ? left.covariance(i, right, j, carries, station)
                        : right.covariance(j, left, i, carries, station));
        });
    return covariance;
  }

  @Override
  public long jointBytes(int points) {
    int d = chain.d;
    return 8L * points * (2 + 2 * d + 3 * d * d);
  }

  /// The size of a few workspaces; it hardly depends on the points.
  @Override
  public long panelBytes(int points) {
    return 4096L * Math.ceilDiv(points, CHUNK);
  }

  /// The place before a point is found by bisection, and one step leads from its state.
  @Override
  public double operations(int points) {
    return 1000.0 * points;
  }

  /// Draws jointly along the points from left to right: O(n + t) once, then O(t) per draw.
  @Override
  protected void draw(double[] points, int count, RandomGenerator random, double[] draws) {
    int t = points.length;
    int[] order =
        IntStream.range(0, t)
            .boxed()
            .sorted((i, j) -> Double.compare(points[i], points[j]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] sorted = Arrays.stream(order).mapToDouble(i -> points[i] + 0.0).toArray();
    Walk walk = new Walk(chain, sorted);
    double[] f = new double[t];
    for (int s = 0; s < count; s++) {
      walk.draw(random, f);
      for (int i = 0; i < t; i++)
        draws[s * t + order[i]] = hyperparameters.mean().at(points, order[i]) + scale * f[i];
    }
  }
}
