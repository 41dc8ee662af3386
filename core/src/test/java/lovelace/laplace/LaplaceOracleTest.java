package lovelace.laplace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import lovelace.chain.ChainGp;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sites.SiteGp;
import lovelace.sparse.SparseEngine;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.Statistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Laplace's approximation on every engine beside dense algebra with the engine's own prior
/// covariance: mode, evidence, gradient and predictive moments, under every likelihood.
class LaplaceOracleTest {

  private static final int ROWS = 26;
  private static final int NEW = 4;
  private static final double TOLERANCE = 1e-6;

  private static final String[][] LIKELIHOODS = {
    {"student-t", "0.05", "4"},
    {"poisson"},
    {"negative-binomial", "0.4"},
    {"bernoulli"},
    {"bernoulli(link=probit)"},
    {"binomial"},
    {"binomial(link=probit)"},
    {"gamma", "2.5"}
  };

  /// An engine, with rows that suit it.
  enum Way {
    EXACT("0.9*rbf(lengthscale=[0.6,0.8])", 2),
    CHAIN("0.9*matern52(lengthscale=0.5)", 1),
    DENSE("0.9*rq(lengthscale=0.7, alpha=1.5)", 2),
    MARKOV("0.9*matern32(lengthscale=0.5)", 1),
    SPECTRAL("0.9*rbf(lengthscale=0.5)", 1),
    SPARSE("0.9*matern12(lengthscale=3)", 2),
    SITES("0.9*matern32(lengthscale=0.7)", 2);

    final String kernel;
    final int d;

    Way(String kernel, int d) {
      this.kernel = kernel;
      this.d = d;
    }

    boolean onNodes() {
      return this == SPARSE;
    }
  }

  /// Rows and new points under an engine.
  private static final class Case {
    final Way way;
    final int d;
    final double[] points; // of the rows, then new ones
    final Grid grid;
    final Kernel kernel;

    Case(Way way, long seed) {
      this.way = way;
      d = way.d;
      kernel = Kernel.parse(way.kernel).bind(d);
      SplittableRandom random = new SplittableRandom(seed);
      int m = ROWS + NEW;
      points = random.doubles((long) m * d, -1, 1).toArray();
      Axis[] axes = new Axis[d];
      if (way.onNodes()) {
        int side = 5; // a place may be drawn twice
        for (int i = 0; i < points.length; i++) points[i] = random.nextInt(side);
        Arrays.fill(axes, new Axis(-2, 1, side + 4));
      } else {
        // three places are observed twice
        System.arraycopy(points, 0, points, 5 * d, d);
        System.arraycopy(points, 0, points, 9 * d, d);
        System.arraycopy(points, 7 * d, points, 21 * d, d);
        for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, d == 1 ? 24 : 9);
      }
      grid = Grid.of(axes);
    }

    double[] places() {
      return Arrays.copyOf(points, ROWS * d);
    }

    double[] later() {
      return Arrays.copyOfRange(points, ROWS * d, points.length);
    }

    Covariances prior() {
      return switch (way) {
        case EXACT, CHAIN -> Covariances.exact(d);
        case DENSE, MARKOV, SPECTRAL -> Covariances.interpolated(grid);
        case SPARSE -> Covariances.sparse(grid, kernel, 12);
        case SITES -> Covariances.sites(places(), grid, d, 20);
      };
    }

    private LatticeEngine engine(Statistics sums) {
      return switch (way) {
        case SPARSE -> new SparseEngine(sums, 12, 1);
        // Modes below 1e-13 of the prior variance are left out: less than what is compared.
        case SPECTRAL -> new SpectralEngine(sums, 1e-13, SpectralEngine.MOST);
        default -> Engines.engine(Engine.valueOf(way.name()), sums, 1);
      };
    }

    private BiFunction<Dataset, Hyperparameters, RowPosterior> rows() {
      return switch (way) {
        case EXACT -> ExactGp::of;
        case CHAIN -> ChainGp::of;
        default -> (rows, h) -> SiteGp.of(rows, grid, h, 20);
      };
    }

    WorkingProcess process(double[] places) {
      return switch (way) {
        case EXACT -> new WorkingExact(places, d);
        case CHAIN, SITES -> new WorkingRows("rows", places, d, rows());
        default -> new WorkingLattice(grid, places, this::engine);
      };
    }

    /// Mean and variance at the new points given working observations.
    double[][] predict(double[] places, double[] targets, double[] weights, Hyperparameters h) {
      if (way == Way.EXACT || way == Way.CHAIN || way == Way.SITES) {
        Prediction p = rows().apply(Dataset.of(places, d, targets, weights), h).predict(later());
        return new double[][] {p.means(), p.variances()};
      }
      LatticeEngine engine =
          engine(new WorkingLattice(grid, places, this::engine).statistics(weights, targets));
      LatticeDistribution found = engine.conditioned(h, WarmStart.NONE);
      double[] values = found.mean();
      for (int i = 0; i < values.length; i++) values[i] += found.problem().prior()[i];
      Stencils stencils = Stencils.of(grid, later());
      double[] mean = new double[NEW];
      for (int i = 0; i < NEW; i++) mean[i] = stencils.dot(i, values, 0);
      return new double[][] {mean, engine.variances(found, stencils)};
    }
  }

  private static double[] means(Hyperparameters h, double[] points, int d) {
    double[] mu = new double[points.length / d];
    for (int i = 0; i < mu.length; i++) mu[i] = h.mean().at(points, i * d);
    return mu;
  }

  private static double size(String name, SplittableRandom random) {
    if (name.startsWith("binomial")) return 1 + random.nextInt(6);
    boolean none = name.startsWith("bernoulli") || name.startsWith("gamma");
    return none ? 1 : 0.5 + random.nextDouble();
  }

  /// Steps that the evidence is differentiated along: the parameters one by one. Which points a
  /// site is regressed on depends on the ratio of the lengthscales, so under sites these move
  /// together.
  private static List<double[]> directions(Way way, Hyperparameters h) {
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < h.size(); i++) {
      String name = h.names().get(i);
      boolean follows = way == Way.SITES && name.endsWith("lengthscale[1]");
      double[] one = follows ? all.getLast() : new double[h.size()];
      one[i] = h.values()[i];
      if (!follows) all.add(one);
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void isTheDefinitionOnEveryEngine(Way way) {
    for (String[] entry : LIKELIHOODS) {
      Case one = new Case(way, 17);
      SplittableRandom random = new SplittableRandom(18);
      double[] parameters =
          Arrays.stream(entry, 1, entry.length).mapToDouble(Double::parseDouble).toArray();
      Likelihood likelihood = Likelihood.parse(entry[0]).with(parameters);
      Hyperparameters h = Hyperparameters.of(one.kernel, likelihood, PriorMean.constant(0.3));
      Covariances prior = one.prior();
      int m = ROWS + NEW;
      double[] k = prior.between(one.kernel, one.points);
      double[] f = Prior.draw(k, m, random);
      Density density = Density.of(entry[0], parameters);
      double[] y = new double[ROWS];
      double[] sizes = new double[ROWS];
      for (int i = 0; i < ROWS; i++) {
        sizes[i] = size(entry[0], random);
        y[i] = density.draw(sizes[i], 0.3 + f[i], random);
      }
      double[] mu = means(h, one.points, one.d);
      DenseLaplace dense =
          new DenseLaplace(
              density, y, sizes, Prior.part(k, m, 0, ROWS, ROWS), Arrays.copyOf(mu, ROWS));

      Observations data = Observations.of(Dataset.of(one.places(), one.d, y, sizes), likelihood);
      assertEquals(likelihood.adds(), data.size() < ROWS, entry[0]);
      Laplace laplace = new Laplace(data, one.process(data.places()));
      Mode mode = laplace.mode(h);
      String at = way + " " + entry[0];
      for (int i = 0; i < ROWS; i++) {
        double sd = Math.sqrt(dense.covariance[i * ROWS + i]);
        int place = place(data, one, i);
        assertEquals(dense.mode[i], mode.values()[place], TOLERANCE * sd, at + " mode " + i);
      }
      assertEquals(dense.evidence, mode.evidence(), TOLERANCE, at + " evidence");

      Hyperparameters working = h.working();
      double[][] found = one.predict(data.places(), mode.corrected(), mode.weights(), working);
      for (int t = 0; t < NEW; t++) {
        int p = ROWS + t;
        double[] cross = Arrays.copyOfRange(k, p * m, p * m + ROWS);
        double[] expected = dense.at(mu[p], k[p * m + p], cross);
        assertEquals(expected[0], found[0][t], TOLERANCE * Math.sqrt(expected[1]), at + " mean");
        assertEquals(expected[1], found[1][t], TOLERANCE * expected[1], at + " variance");
      }

      Evidence evidence = laplace.evidence(h, WarmStart.NONE);
      assertEquals(mode.evidence(), evidence.value(), 1e-9);
      assertGradient(
          way,
          h,
          evidence.gradient(),
          values -> {
            Hyperparameters other = h.with(values);
            return new DenseLaplace(
                    Density.of(entry[0], other.likelihood().values()),
                    y,
                    sizes,
                    prior.between(other.kernel(), one.places()),
                    means(other, one.places(), one.d))
                .evidence;
          });
      assertTrue(mode.steps() > 0 && mode.residual() < 1e-6, at);
    }
  }

  @ParameterizedTest
  @EnumSource
  void varyingNoiseIsTheDefinitionOnEveryEngine(Way way) {
    Case one = new Case(way, 19);
    SplittableRandom random = new SplittableRandom(20);
    Hyperparameters h =
        Hyperparameters.of(
                one.kernel,
                Likelihood.varying(),
                one.kernel.with(scaled(one.kernel.values())),
                PriorMean.constant(0.3))
            .set("noise.mean", -0.8);
    Covariances prior = one.prior();
    int m = ROWS + NEW;
    Hyperparameters ofNoise = h.workingNoise();
    double[] kf = prior.between(h.kernel(), one.points);
    double[] kh = prior.between(ofNoise.kernel(), one.points);
    double[] f = Prior.draw(kf, m, random);
    double[] log = Prior.draw(kh, m, random);
    double[] y = new double[ROWS];
    double[] weights = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      weights[i] = 0.5 + random.nextDouble();
      y[i] = 0.3 + f[i];
      y[i] += Math.exp(-0.8 + log[i]) / Math.sqrt(weights[i]) * random.nextGaussian();
    }
    DenseVarying dense = dense(one, prior, h, y, weights);
    Observations data =
        Observations.of(Dataset.of(one.places(), one.d, y, weights), h.likelihood());
    Varying varying = new Varying(data, one.process(one.places()), one.process(one.places()));
    Varying.Modes modes = varying.modes(h);
    for (int i = 0; i < ROWS; i++) {
      double sdF = Math.sqrt(dense.covariance[i * 2 * ROWS + i]);
      double sdH = Math.sqrt(dense.covariance[(ROWS + i) * 2 * ROWS + ROWS + i]);
      assertEquals(dense.mode[i], modes.f[i], TOLERANCE * sdF, way + " mode of f " + i);
      assertEquals(dense.mode[ROWS + i], modes.h[i], TOLERANCE * sdH, way + " mode of h " + i);
    }
    assertEquals(dense.evidence, modes.evidence(), TOLERANCE, way + " evidence");

    Varying.Working working = modes.working();
    double[][] ofF = one.predict(one.places(), y, working.weights(), h.working());
    double[][] ofH =
        one.predict(one.places(), working.noiseTargets(), working.noiseWeights(), ofNoise);
    for (int t = 0; t < NEW; t++) {
      int p = ROWS + t;
      double[] expected =
          dense.at(
              y,
              weights,
              new double[] {0.3, -0.8},
              new double[] {kf[p * m + p], kh[p * m + p]},
              new double[][] {
                Arrays.copyOfRange(kf, p * m, p * m + ROWS),
                Arrays.copyOfRange(kh, p * m, p * m + ROWS)
              });
      double[] found = {ofF[0][t], ofF[1][t], ofH[0][t], ofH[1][t]};
      for (int i = 0; i < 4; i++) {
        double variance = expected[i | 1];
        double scale = i % 2 == 0 ? Math.sqrt(variance) : variance;
        assertEquals(expected[i], found[i], TOLERANCE * scale, way + " moment " + i);
      }
    }

    Evidence evidence = varying.evidence(h, WarmStart.NONE);
    assertEquals(modes.evidence(), evidence.value(), 1e-9);
    assertGradient(
        way,
        h,
        evidence.gradient(),
        values -> dense(one, prior, h.with(values), y, weights).evidence);
  }

  private static double[] scaled(double[] values) {
    double[] out = values.clone();
    for (int i = 0; i < out.length; i++) out[i] *= i == 0 ? 0.5 : 1.3;
    return out;
  }

  private static DenseVarying dense(
      Case one, Covariances prior, Hyperparameters h, double[] y, double[] weights) {
    return new DenseVarying(
        y,
        weights,
        prior.between(h.kernel(), one.places()),
        prior.between(h.workingNoise().kernel(), one.places()),
        means(h, one.places(), one.d),
        means(h.workingNoise(), one.places(), one.d));
  }

  private static void assertGradient(
      Way way, Hyperparameters h, double[] gradient, ToDoubleFunction<double[]> evidence) {
    assertEquals(h.size(), gradient.length);
    for (double[] direction : directions(way, h)) {
      double slope = 0;
      for (int i = 0; i < gradient.length; i++) slope += gradient[i] * direction[i];
      double expected = DenseLaplace.slope(evidence, h.values(), direction);
      assertEquals(
          expected,
          slope,
          TOLERANCE * (1 + Math.abs(expected)),
          "%s %s: slope along %s of %s"
              .formatted(way, h.likelihood(), Arrays.toString(direction), h.names()));
    }
  }

  private static int place(Observations data, Case one, int row) {
    if (data.size() == ROWS) return row;
    for (int p = 0; p < data.size(); p++) {
      boolean same = true;
      for (int a = 0; a < one.d; a++)
        same &= data.places()[p * one.d + a] == one.points[row * one.d + a];
      if (same) return p;
    }
    throw new AssertionError("no place of row " + row);
  }
}
