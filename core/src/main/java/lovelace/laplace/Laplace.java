package lovelace.laplace;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeEngine.OutOfReachException;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;

/// Laplace's approximation of a latent Gaussian process, by Newton steps with a line search
/// (Rasmussen and Williams 2006, chapter 3). With g and W the slope and curvature of log p(y | f),
/// one step is the posterior of working observations `z = f + g/W` with noise variances 1/W:
///
/// ```
/// α = W(z − f₁) = A⁻¹(z − μ)      f₁ = μ + Kα      λ² = (f₁ − f)ᵀ(g − α)
/// log Z = log N(z; μ, K + W⁻¹) + Σ [ log p(y | f) + g²/2W − ½ log W + ½ log 2π ]
/// s = −½ diag(P) ∂W/∂f      δ = s/W
/// ∂ log Z/∂θ = ∂ log N/∂θ at fixed z, W, plus its slope as z moves along δ
/// ∂ log Z/∂φ = Σ ∂ log p/∂φ − ½ Σ diag(P) ∂W/∂φ + (Ps)ᵀ ∂²log p/∂f∂φ
/// ```
///
/// Along a step, α moves with f, so the prior's part of the objective is always `αᵀ(f − μ)` and the
/// line search needs no engine. If the second derivative of a likelihood can be positive, W is its
/// expectation; the mode is the same, and the evidence is that with Fisher's information.
public final class Laplace implements Learnable {

  /// A step of at most this length, in posterior standard deviations, is the last one.
  private static final double LAST = 1e-6;

  /// The same if steps do not converge quadratically.
  private static final double LAST_SCORE = 1e-8;

  private static final int MOST_STEPS = 300;
  private static final int MOST_HALVINGS = 60;

  /// If a step is shorter than this and not shorter than the one before, only rounding is left.
  private static final double ROUNDING = 1e-3;

  /// The same if steps need not shrink from one to the next.
  private static final double ROUNDING_SCORE = 1e-6;

  /// This many observations suffice to distinguish poor start values from better ones.
  static final int ROUGH = 300;

  private final Observations data;
  private final WorkingProcess process;

  public Laplace(Observations data, WorkingProcess process) {
    if (process.size() != data.size())
      throw new IllegalArgumentException(
          "a process over %s places cannot take %s observations"
              .formatted(process.size(), data.size()));
    this.data = data;
    this.process = process;
  }

  /// An earlier mode to start from.
  private static final class Known implements WarmStart {
    final Laplace laplace;
    final double[] values;
    final WarmStart engine;

    Known(Laplace laplace, double[] values, WarmStart engine) {
      this.laplace = laplace;
      this.values = values;
      this.engine = engine;
    }
  }

  /// Thrown if no mode was found.
  public static final class NoModeException extends IllegalArgumentException {
    NoModeException(String message) {
      super(message);
    }
  }

  @Override
  public String name() {
    return process.name();
  }

  public Observations data() {
    return data;
  }

  /// The mode under complete hyperparameters.
  public Mode mode(Hyperparameters h) {
    return mode(h, WarmStart.NONE);
  }

  /// Searches for the mode from an earlier one.
  public Mode mode(Hyperparameters h, WarmStart start) {
    Likelihood likelihood = h.likelihood();
    Hyperparameters working = h.working();
    double[] mu = process.prior(working);
    Known known = start instanceof Known k && k.laplace == this ? k : null;
    WarmStart engine = known == null ? WarmStart.NONE : known.engine;
    double least = Curvature.logDensity(likelihood, data, mu); // the objective at f = μ, α = 0
    double[] f = mu;
    double[] alpha = new double[mu.length];
    Curvature at = null;
    int steps = 0;
    double[] from = known == null ? suggested(likelihood) : known.values;
    if (from != null) { // takes a whole step from there, if it leads above μ
      Curvature there = Curvature.of(likelihood, data, from);
      Step step = step(working, there, from, engine);
      engine = step.solution.next();
      steps++;
      Curvature next = Curvature.of(likelihood, data, step.values);
      if (next.logDensity - 0.5 * quadratic(step.dual, step.values, mu) >= least) {
        f = step.values;
        alpha = step.dual;
        at = next;
      }
    }
    if (at == null) at = Curvature.of(likelihood, data, f);
    double last = likelihood.scores() ? LAST_SCORE : LAST;
    double rounding = likelihood.scores() ? ROUNDING_SCORE : ROUNDING;
    double before = Double.POSITIVE_INFINITY;
    Way scored = null;
    while (true) {
      Budget.check();
      Step step = step(working, at, f, engine);
      engine = step.solution.next();
      double squared = 0;
      for (int i = 0; i < f.length; i++)
        squared += (step.values[i] - f[i]) * (at.slopes[i] - alpha[i]);
      double length = Math.sqrt(Math.abs(squared));
      boolean met = length <= last || (length <= rounding && length >= before);
      if (met || steps >= MOST_STEPS) {
        if (!met) throw noMode(steps, length);
        Curvature there = Curvature.of(likelihood, data, step.values);
        Step end = step(working, there, step.values, engine);
        return new Mode(step.values, there, end.solution, steps + 1, length);
      }
      before = length;
      if (likelihood.scores()) {
        Way way = way(step, at, f, alpha, squared, scored);
        double t = SlopeSearch.length(along(likelihood, way, f, alpha, mu));
        if (Double.isNaN(t)) throw noMode(steps, length);
        f = plus(f, t, way.values);
        alpha = plus(alpha, t, way.dual);
        at = Curvature.of(likelihood, data, f);
        scored = way;
        steps++;
        continue;
      }
      double objective = at.logDensity - 0.5 * quadratic(alpha, f, mu);
      double slack = 1e-12 * (1 + Math.abs(objective));
      double t = 1;
      double[] moved = step.values;
      double[] dual = step.dual;
      // this close to the mode a whole step is right, and the objective is only known to rounding
      for (int halvings = 0; ; halvings++) {
        if (length <= rounding) break;
        double reached =
            Curvature.logDensity(likelihood, data, moved) - 0.5 * quadratic(dual, moved, mu);
        if (reached >= objective + 1e-4 * t * squared - slack) break;
        if (halvings == MOST_HALVINGS) throw noMode(steps, length);
        t /= 2;
        moved = between(f, step.values, t);
        dual = between(alpha, step.dual, t);
      }
      f = moved;
      alpha = dual;
      at = Curvature.of(likelihood, data, f);
      steps++;
    }
  }

  /// The direction of a step of scoring, and the gradient at its start.
  private static final class Way {
    final double[] values;
    final double[] dual;
    final double[] gradient;
    final double squared;

    Way(double[] values, double[] dual, double[] gradient, double squared) {
      this.values = values;
      this.dual = dual;
      this.gradient = gradient;
      this.squared = squared;
    }
  }

  private static Way way(
      Step step, Curvature at, double[] f, double[] alpha, double squared, @Nullable Way last) {
    double[] gradient = plus(at.slopes, -1, alpha);
    double[] values = plus(step.values, -1, f);
    double[] dual = plus(step.dual, -1, alpha);
    if (last == null) return new Way(values, dual, gradient, squared);
    double share = SlopeSearch.share(squared, dot(values, last.gradient), last.squared);
    double[] both = plus(values, share, last.values);
    return dot(both, gradient) > 0
        ? new Way(both, plus(dual, share, last.dual), gradient, squared)
        : new Way(values, dual, gradient, squared);
  }

  private SlopeSearch.Along along(
      Likelihood likelihood, Way way, double[] f, double[] alpha, double[] mu) {
    return new SlopeSearch.Along() {
      @Override
      public double value(double t) {
        double[] there = plus(f, t, way.values);
        return Curvature.logDensity(likelihood, data, there)
            - 0.5 * quadratic(plus(alpha, t, way.dual), there, mu);
      }

      @Override
      public double slope(double t) {
        Curvature at = Curvature.of(likelihood, data, plus(f, t, way.values));
        return dot(way.values, plus(at.slopes, -1, plus(alpha, t, way.dual)));
      }
    };
  }

  static double[] plus(double[] a, double t, double[] b) {
    double[] x = new double[a.length];
    for (int i = 0; i < x.length; i++) x[i] = a[i] + t * b[i];
    return x;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  /// The values of f that each observation suggests by itself; null if an outlier would mislead.
  private double @Nullable [] suggested(Likelihood likelihood) {
    if (likelihood.scores()) return null;
    double[] f = new double[data.size()];
    for (int i = 0; i < f.length; i++) f[i] = likelihood.start(data.values()[i], data.sizes()[i]);
    return f;
  }

  /// f₁ and α of one whole step.
  private static final class Step {
    final double[] values;
    final double[] dual;
    final WorkingProcess.Solution solution;

    Step(double[] values, double[] dual, WorkingProcess.Solution solution) {
      this.values = values;
      this.dual = dual;
      this.solution = solution;
    }
  }

  private Step step(Hyperparameters working, Curvature at, double[] f, WarmStart engine) {
    double[] z = at.targets(f);
    WorkingProcess.Solution solution = process.solve(working, at.weights, z, engine);
    double[] next = solution.means();
    double[] dual = new double[f.length];
    for (int i = 0; i < f.length; i++) dual[i] = at.weights[i] * (z[i] - next[i]);
    return new Step(next, dual, solution);
  }

  static double[] between(double[] from, double[] to, double t) {
    double[] x = new double[from.length];
    for (int i = 0; i < x.length; i++) x[i] = from[i] + t * (to[i] - from[i]);
    return x;
  }

  /// αᵀ(f − μ) = (f − μ)ᵀK⁻¹(f − μ).
  static double quadratic(double[] alpha, double[] f, double[] mu) {
    double sum = 0;
    for (int i = 0; i < f.length; i++) sum += alpha[i] * (f[i] - mu[i]);
    return sum;
  }

  private static NoModeException noMode(int steps, double length) {
    return new NoModeException(
        String.format(
            Locale.ROOT,
            "no mode of the function was found in %d Newton steps, the last was %.2g posterior standard deviations long; fix the kernel's variance at a smaller value, or give it a prior",
            steps,
            length));
  }

  /// The same for some of the observations, by the exact process.
  @Override
  public Learnable rough() {
    if (data.size() <= ROUGH) return this;
    Observations some = data.thinned(ROUGH);
    return new Laplace(some, new WorkingExact(some.places(), some.dimensions()));
  }

  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    Mode mode;
    try {
      mode = mode(h, start);
    } catch (NoModeException | OutOfReachException e) {
      return Evidence.impossible(h);
    }
    double value = mode.evidence();
    if (!Double.isFinite(value)) return Evidence.impossible(h);
    return new Evidence(value, gradient(h, mode), 0)
        .before(new Known(this, mode.values, mode.solution.next()));
  }

  /// The gradient of the evidence in every parameter.
  private double[] gradient(Hyperparameters h, Mode mode) {
    double[] delta = mode.shift();
    double[] own = mode.solution.gradient(delta);
    int p = h.kernel().parameterCount();
    int q = h.likelihood().parameterNames().size();
    double[] g = new double[h.size()];
    System.arraycopy(own, 0, g, 0, p);
    System.arraycopy(own, p + 1, g, p + q, own.length - p - 1);
    if (q == 0) return g;
    double[] moved = mode.solution.response(delta); // Ps
    double[] variances = mode.solution.variances();
    double[] out = new double[3 * q];
    for (int i = 0; i < moved.length; i++) {
      h.likelihood()
          .parameters(data.values()[i], data.sizes()[i], data.extras()[i], mode.values[i], out);
      for (int j = 0; j < q; j++)
        g[p + j] += out[3 * j] - 0.5 * variances[i] * out[3 * j + 2] + moved[i] * out[3 * j + 1];
    }
    return g;
  }
}
