package lovelace.bayesopt;

import java.util.Locale;

/// Rates how worthwhile it is to evaluate a point next. The function is modelled as one to be
/// maximised, in standardised units.
public sealed interface Acquisition {

  /// How max-value entropy search draws the unknown maximum y*.
  enum Maxima {
    /// Joint draws if the model is on a grid, otherwise a Gumbel fit.
    AUTO,
    /// The largest of joint posterior draws over a grid of points.
    JOINT,
    /// The maximum of functions drawn from the posterior, each climbed to its top.
    FUNCTIONS,
    /// A Gumbel distribution through the quartiles of the largest of independent marginals.
    GUMBEL
  }

  /// Max-value entropy search (Wang and Jegelka 2017): `E[γφ(γ)/2Φ(γ) − log Φ(γ)]` over draws of
  /// the maximum y*, with `γ = (y* − mean)/sd`. It is the information that an evaluation gives
  /// about y*.
  record MaxValueEntropy(int samples, Maxima maxima) implements Acquisition {
    public MaxValueEntropy {
      if (samples < 1) throw new IllegalArgumentException("samples must be >= 1, got " + samples);
    }
  }

  /// The logarithm of expected improvement, `log(sd h(z))`, `h(z) = φ(z) + zΦ(z)`, `z = (mean −
  /// best)/sd`. It is computed so that neither it nor its gradient vanishes far from the best
  /// (Ament et al. 2023).
  record LogExpectedImprovement() implements Acquisition {}

  /// `mean + √beta sd`.
  record UpperConfidenceBound(double beta) implements Acquisition {
    public UpperConfidenceBound {
      if (!(beta >= 0)) throw new IllegalArgumentException("beta must be >= 0, got " + beta);
    }
  }

  /// `log Φ((mean − best − margin)/sd)`, with the margin in standard deviations of the
  /// observations.
  record ProbabilityOfImprovement(double margin) implements Acquisition {
    public ProbabilityOfImprovement {
      if (!(margin >= 0)) throw new IllegalArgumentException("margin must be >= 0, got " + margin);
    }
  }

  /// The maximum of one function drawn from the posterior.
  record ThompsonSampling() implements Acquisition {}

  /// Max-value entropy search with 16 draws.
  Acquisition MES = new MaxValueEntropy(16, Maxima.AUTO);

  Acquisition LOG_EI = new LogExpectedImprovement();

  /// The upper confidence bound two standard deviations above the mean.
  Acquisition UCB = new UpperConfidenceBound(4);

  /// Probability of improvement by a hundredth of the spread.
  Acquisition PI = new ProbabilityOfImprovement(0.01);

  Acquisition THOMPSON = new ThompsonSampling();

  /// Returns the acquisition called `mes`, `logei`, `ucb`, `pi` or `thompson`. `mes-joint`,
  /// `mes-functions` and `mes-gumbel` choose how `mes` draws the maximum.
  static Acquisition named(String name) {
    return switch (name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "")) {
      case "mes" -> MES;
      case "mesjoint" -> new MaxValueEntropy(16, Maxima.JOINT);
      case "mesfunctions" -> new MaxValueEntropy(16, Maxima.FUNCTIONS);
      case "mesgumbel" -> new MaxValueEntropy(16, Maxima.GUMBEL);
      case "logei", "ei" -> LOG_EI;
      case "ucb" -> UCB;
      case "pi" -> PI;
      case "thompson", "ts" -> THOMPSON;
      default ->
          throw new IllegalArgumentException(
              "acquisition must be mes, logei, ucb, pi or thompson, got '" + name + "'");
    };
  }
}
