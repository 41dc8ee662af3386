package lovelace.laplace;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeEngine.OutOfReachException;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Laplace.NoModeException;
import lovelace.laplace.WorkingProcess.Solution;

/// Gaussian noise that varies: `y = f + e^h ε/√w`, with f and the log deviation h two processes
/// over the same places. The Hessian of log p in (f, h) is never definite. So the mode is found by
/// Fisher's scoring, and the evidence uses Fisher's information in place of the Hessian:
///
/// ```
/// W_f = w e^(−2h)    z_f = y        W_h = 2    z_h = h + (w (y − f)² e^(−2h) − 1)/2
/// log Z = log p(y | f, h) + log N(f) + log N(h) − ½ log|I + K_f W_f| − ½ log|I + K_h W_h| + …
/// ```
///
/// These are two working processes without a common term. The derivative of the mode in the
/// parameters needs the true Hessian `H = F + E`, whose system is solved by conjugate gradients in
/// the inner product F.
public final class Varying implements Learnable {

  private static final double LAST = 1e-8;

  /// If a step is shorter than this and not shorter than the one before, only rounding is left.
  private static final double ROUNDING = 1e-6;

  private static final int MOST_STEPS = 1000;

  /// The smallest share of a row's information on the noise that fitting the function leaves.
  private static final double LEFT = 0.05;

  private static final double LOG_2PI = Math.log(2 * Math.PI);

  private final Observations data;
  private final WorkingProcess function;
  private final WorkingProcess noise;

  /// @param function the process of f
  /// @param noise that of h, at the same places
  public Varying(Observations data, WorkingProcess function, WorkingProcess noise) {
    this.data = data;
    this.function = function;
    this.noise = noise;
  }

  private static final class Known implements WarmStart {
    final Varying varying;
    final double[] h;
    final WarmStart f;
    final WarmStart noise;

    Known(Varying varying, double[] h, WarmStart f, WarmStart noise) {
      this.varying = varying;
      this.h = h;
      this.f = f;
      this.noise = noise;
    }
  }

  @Override
  public String name() {
    return function.name();
  }

  public Observations data() {
    return data;
  }

  /// The mode of both processes.
  public final class Modes {
    final double[] f;
    final double[] h;
    final double[] weights; // W_f
    final Solution forF;
    final Solution forH;
    final double[] targets; // z_h
    private final int steps;
    private final double residual;

    private Modes(
        double[] f, double[] h, Solution forF, Solution forH, int steps, double residual) {
      this.f = f;
      this.h = h;
      this.forF = forF;
      this.forH = forH;
      this.steps = steps;
      this.residual = residual;
      weights = precisions(h);
      targets = targets(f, h, weights);
    }

    public int steps() {
      return steps;
    }

    public double residual() {
      return residual;
    }

    /// The working observations for the posterior. The mean of h is corrected to first order with
    /// the expected third derivatives, `s = W_f diag P_f + 2 diag P_h`; f has the noise of that h.
    /// The information on h is the part that remains after f is fitted, `2(1 − W_f diag P_f)`,
    /// which is better calibrated than 2. The targets keep the mean unchanged.
    public Working working() {
      double[] pf = forF.variances();
      double[] ph = forH.variances();
      int n = h.length;
      double[] delta = new double[n];
      for (int i = 0; i < n; i++) delta[i] = 0.5 * weights[i] * pf[i] + ph[i];
      double[] moved = forH.response(delta);
      double[] mean = new double[n];
      double[] information = new double[n];
      double[] z = new double[n];
      for (int i = 0; i < n; i++) {
        mean[i] = h[i] + moved[i];
        information[i] = 2 * Math.max(LEFT, 1 - weights[i] * pf[i]);
        z[i] = mean[i] + 2 / information[i] * (targets[i] + delta[i] - mean[i]);
      }
      return new Working(precisions(mean), z, information);
    }

    public double evidence() {
      double sum = forF.evidence() + forH.evidence();
      for (int i = 0; i < f.length; i++) {
        double r = data.values()[i] - f[i];
        double square = weights[i] * r * r;
        double score = square - 1;
        sum +=
            logDensity(i, square, h[i])
                + 0.5 * square
                + 0.25 * score * score
                - 0.5 * Math.log(weights[i])
                - 0.5 * Math.log(2)
                + LOG_2PI;
      }
      return sum;
    }
  }

  /// Working observations of both processes. The targets of f are the observations.
  public static final class Working {
    private final double[] weights;
    private final double[] noiseTargets;
    private final double[] noiseWeights;

    private Working(double[] weights, double[] noiseTargets, double[] noiseWeights) {
      this.weights = weights;
      this.noiseTargets = noiseTargets;
      this.noiseWeights = noiseWeights;
    }

    /// The inverse noise variances for f.
    public double[] weights() {
      return weights;
    }

    /// The targets for h.
    public double[] noiseTargets() {
      return noiseTargets;
    }

    /// The inverse noise variances for h.
    public double[] noiseWeights() {
      return noiseWeights;
    }
  }

  private double logDensity(int i, double square, double h) {
    return 0.5 * (Math.log(data.sizes()[i]) - LOG_2PI - square) - h;
  }

  private double[] precisions(double[] h) {
    return IntStream.range(0, h.length)
        .mapToDouble(i -> data.sizes()[i] * Math.exp(-2 * h[i]))
        .toArray();
  }

  private double[] targets(double[] f, double[] h, double[] weights) {
    double[] z = new double[h.length];
    for (int i = 0; i < z.length; i++) {
      double r = data.values()[i] - f[i];
      z[i] = h[i] + 0.5 * (weights[i] * r * r - 1);
    }
    return z;
  }

  private double logDensity(double[] f, double[] h) {
    double sum = 0;
    for (int i = 0; i < f.length; i++) {
      double r = data.values()[i] - f[i];
      sum += logDensity(i, data.sizes()[i] * r * r * Math.exp(-2 * h[i]), h[i]);
    }
    return sum;
  }

  /// A point of the search: both functions, and both duals `α = K⁻¹(· − μ)`.
  private static final class Place {
    final double[] f;
    final double[] h;
    final double[] alpha;
    final double[] beta;

    Place(double[] f, double[] h, double[] alpha, double[] beta) {
      this.f = f;
      this.h = h;
      this.alpha = alpha;
      this.beta = beta;
    }

    /// This point plus t times another.
    Place plus(double t, Place other) {
      return new Place(
          plus(f, t, other.f),
          plus(h, t, other.h),
          plus(alpha, t, other.alpha),
          plus(beta, t, other.beta));
    }

    private static double[] plus(double[] a, double t, double[] b) {
      return IntStream.range(0, a.length).mapToDouble(i -> a[i] + t * b[i]).toArray();
    }

    /// The growth of the objective along this direction according to a gradient.
    double slope(double[][] gradient) {
      double sum = 0;
      for (int i = 0; i < f.length; i++) sum += f[i] * gradient[0][i] + h[i] * gradient[1][i];
      return sum;
    }
  }

  public Modes modes(Hyperparameters hyperparameters) {
    return modes(hyperparameters, WarmStart.NONE);
  }

  private Modes modes(Hyperparameters hyperparameters, WarmStart start) {
    Hyperparameters ofF = hyperparameters.working();
    Hyperparameters ofH = hyperparameters.workingNoise();
    double[] muF = function.prior(ofF);
    double[] muH = noise.prior(ofH);
    Known known = start instanceof Known k && k.varying == this ? k : null;
    WarmStart nextF = known == null ? WarmStart.NONE : known.f;
    WarmStart nextH = known == null ? WarmStart.NONE : known.noise;
    int n = muF.length;
    Place at = new Place(muF, muH, new double[n], new double[n]);
    if (known != null) { // both steps from the h of other parameters, if they lead higher
      double[] w = precisions(known.h);
      Solution f = function.solve(ofF, w, data.values(), nextF);
      double[] z = targets(f.means(), known.h, w);
      Solution h = noise.solve(ofH, twos(n), z, nextH);
      Place there =
          new Place(
              f.means(), h.means(), dual(w, data.values(), f.means()), dual(twos(n), z, h.means()));
      if (objective(there, muF, muH) > objective(at, muF, muH)) at = there;
    }
    double before = Double.POSITIVE_INFINITY;
    Direction last = null;
    for (int steps = 1; ; steps++) {
      Budget.check();
      double[] w = precisions(at.h);
      double[] z = targets(at.f, at.h, w);
      Solution f = function.solve(ofF, w, data.values(), nextF);
      Solution h = noise.solve(ofH, twos(n), z, nextH);
      nextF = f.next();
      nextH = h.next();
      double[] f1 = f.means();
      double[] h1 = h.means();
      Place to = new Place(f1, h1, dual(w, data.values(), f1), dual(twos(n), z, h1));
      Place step = to.plus(-1, at);
      double[][] gradient = gradient(at);
      double squared = step.slope(gradient);
      double length = Math.sqrt(Math.abs(squared));
      if (length <= LAST || (length <= ROUNDING && length >= before))
        return new Modes(at.f, at.h, f, h, steps, length);
      if (steps >= MOST_STEPS) throw noMode(steps, length);
      before = length;
      Place direction = step;
      if (last != null) {
        double share = SlopeSearch.share(squared, step.slope(last.gradient), last.squared);
        Place both = step.plus(share, last.place);
        if (both.slope(gradient) > 0) direction = both;
      }
      last = new Direction(direction, gradient, squared);
      double t = SlopeSearch.length(along(at, direction, muF, muH));
      if (Double.isNaN(t)) throw noMode(steps, length);
      at = at.plus(t, direction);
    }
  }

  /// The direction of a step.
  private static final class Direction {
    final Place place;
    final double[][] gradient;
    final double squared;

    Direction(Place place, double[][] gradient, double squared) {
      this.place = place;
      this.gradient = gradient;
      this.squared = squared;
    }
  }

  private SlopeSearch.Along along(Place at, Place direction, double[] muF, double[] muH) {
    return new SlopeSearch.Along() {
      @Override
      public double value(double t) {
        return objective(at.plus(t, direction), muF, muH);
      }

      @Override
      public double slope(double t) {
        return direction.slope(gradient(at.plus(t, direction)));
      }
    };
  }

  /// The gradient of the objective in f and h.
  private double[][] gradient(Place at) {
    int n = at.f.length;
    double[][] g = new double[2][n];
    double[] w = precisions(at.h);
    for (int i = 0; i < n; i++) {
      double r = data.values()[i] - at.f[i];
      g[0][i] = w[i] * r - at.alpha[i];
      g[1][i] = w[i] * r * r - 1 - at.beta[i];
    }
    return g;
  }

  private static double[] twos(int n) {
    double[] w = new double[n];
    Arrays.fill(w, 2);
    return w;
  }

  private static double[] dual(double[] w, double[] z, double[] f) {
    return IntStream.range(0, f.length).mapToDouble(i -> w[i] * (z[i] - f[i])).toArray();
  }

  private double objective(Place at, double[] muF, double[] muH) {
    return logDensity(at.f, at.h)
        - 0.5 * Laplace.quadratic(at.alpha, at.f, muF)
        - 0.5 * Laplace.quadratic(at.beta, at.h, muH);
  }

  private static NoModeException noMode(int steps, double length) {
    return new NoModeException(
        String.format(
            Locale.ROOT,
            "no mode of function and noise was found in %d steps, the last was %.2g posterior standard deviations long; fix the variance of the noise kernel at a smaller value, or give it a prior",
            steps,
            length));
  }

  /// The same for some of the observations, by the exact process.
  @Override
  public Learnable rough() {
    if (data.size() <= Laplace.ROUGH) return this;
    Observations some = data.thinned(Laplace.ROUGH);
    WorkingProcess exact = new WorkingExact(some.places(), some.dimensions());
    return new Varying(some, exact, exact);
  }

  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    Modes modes;
    try {
      modes = modes(h, start);
    } catch (NoModeException | OutOfReachException e) {
      return Evidence.impossible(h);
    }
    double value = modes.evidence();
    if (!Double.isFinite(value)) return Evidence.impossible(h);
    return new Evidence(value, VaryingGradient.of(h, data.values(), modes), 0)
        .before(new Known(this, modes.h, modes.forF.next(), modes.forH.next()));
  }
}
