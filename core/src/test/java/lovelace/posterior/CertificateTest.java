package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import lovelace.dense.DenseEngine;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.Interpolated;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.Trial;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.love.Love;
import lovelace.markov.MarkovEngine;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Certificate.VarianceBound;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateTest {

  static LongStream seeds() {
    return LongStream.range(900, Boolean.getBoolean("lovelace.long") ? 1100 : 912);
  }

  private static List<LatticePosterior> posteriors(LatticeProblem problem) {
    List<LatticePosterior> all = new ArrayList<>();
    Hyperparameters h = problem.hyperparameters();
    GridStatistics statistics = (GridStatistics) problem.statistics();
    all.add(LatticePosterior.love(problem, Love.DEFAULT.withRank(6)));
    all.add(LatticePosterior.love(problem, Love.DEFAULT));
    all.add(LatticePosterior.of(new DenseEngine(statistics).posterior(h, 0.01), 0.01));
    SpectralEngine spectral = new SpectralEngine(statistics, SpectralEngine.TOLERANCE, 2000);
    if (spectral.applies(h)) all.add(LatticePosterior.of(spectral.posterior(h, 0.01), 0.01));
    if (MarkovEngine.applies(statistics.lattice(), h.kernel()))
      all.add(LatticePosterior.of(new MarkovEngine(statistics).posterior(h, 0.01), 0.01));
    return all;
  }

  /// The points of a grid in the range it covers.
  private static double[] covered(Grid grid) {
    List<double[]> inside = new ArrayList<>();
    for (int i = 0; i < grid.size(); i++)
      if (grid.outsideColumn(grid.point(i), 0) < 0) inside.add(grid.point(i));
    return inside.stream().flatMapToDouble(Arrays::stream).toArray();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsCertifiedIsBoundedAtEveryGridPoint(long seed) {
    Trial trial = new Trial(seed);
    double[] points = covered(trial.grid);
    for (LatticePosterior posterior : posteriors(trial.problem)) {
      double[][] interval = posterior.certify(points);
      Certificate certificate = posterior.certificate();
      for (int p = 0; p < interval[0].length; p++) {
        double width = (interval[1][p] - interval[0][p]) / interval[1][p];
        int place = p;
        assertTrue(
            width <= certificate.reached() * (1 + 1e-9),
            () ->
                String.format(
                    Locale.ROOT,
                    "%s: grid point %d is known within %.3g, %s",
                    trial,
                    place,
                    width,
                    certificate));
      }
    }
  }

  private static LatticeProblem line(String kernel, int points, int n) {
    SplittableRandom random = new SplittableRandom(31);
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextDouble(-1, 1);
      if (x[i] > 0.2 && x[i] < 0.5) x[i] = -x[i]; // a gap
      y[i] = Math.sin(5 * x[i]) + 0.1 * random.nextGaussian();
    }
    Grid grid = Interpolated.cube(1, points);
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse(kernel).bind(1), 0.01, PriorMean.constant(0.1));
    return LatticeProblem.of(GridStatistics.of(grid, x, y), h);
  }

  /// On a grid too large to visit every point, the bound of all of them is no smaller than any.
  @ParameterizedTest
  @ValueSource(strings = {"1*rbf(lengthscale=0.3)", "1*matern52(lengthscale=0.4)"})
  void enginesThatBoundAllPointsCertifyLargeGrids(String kernel) {
    LatticeProblem problem = line(kernel, 2400, 5000);
    GridStatistics statistics = (GridStatistics) problem.statistics();
    LatticeEngine engine =
        MarkovEngine.applies(statistics.lattice(), problem.hyperparameters().kernel())
            ? new MarkovEngine(statistics)
            : new SpectralEngine(statistics, SpectralEngine.TOLERANCE, 2000);
    LatticePosterior posterior =
        LatticePosterior.of(engine.posterior(problem.hyperparameters(), 0.01), 0.01);
    VarianceBound bound = posterior.certificate().bound();
    assertEquals(VarianceBound.Kind.CERTIFIED, bound.kind(), posterior.certificate().toString());
    assertEquals(2398, bound.points());
    double[][] interval = posterior.certify(covered(statistics.grid()));
    for (int p = 0; p < interval[0].length; p++)
      assertTrue((interval[1][p] - interval[0][p]) / interval[1][p] <= bound.reached());
  }

  @Test
  void loveOnALargeGridIsCheckedOnly() {
    LatticePosterior posterior =
        LatticePosterior.love(line("1*matern52(lengthscale=0.4)", 2400, 5000), Love.DEFAULT);
    Certificate certificate = posterior.certificate();
    assertEquals(VarianceBound.Kind.CHECKED, certificate.bound().kind());
    assertEquals(48, certificate.bound().points());
    assertEquals(
        List.of(
            Certificate.Gap.OTHER_POINTS,
            Certificate.Gap.INTERPOLATION,
            Certificate.Gap.BEYOND_GRID),
        certificate.notCovered());
    assertTrue(certificate.toString().startsWith("variances checked within "));
    assertFalse(certificate.toString().contains("certified"), certificate.toString());
  }

  @Test
  void theTwoWordsComeFromTheType() {
    Interpolation measured = new Interpolation(0.012, 0.004, 200, true);
    Certificate certified =
        new Certificate(
            Engine.SPECTRAL,
            "spectral, 40 modes",
            0.01,
            new VarianceBound(VarianceBound.Kind.CERTIFIED, 1234, 0.002),
            0,
            measured);
    assertEquals(
        "variances certified within 0.20 % at all 1,234 grid points (spectral, 40 modes); with"
            + " interpolation, means within 0.012 standard deviations and variances within 0.60 %"
            + " of the exact process, measured at 200 places; not covered: places between grid"
            + " points, interpolation at other places, places beyond the grid",
        certified.toString());
    Certificate checked =
        new Certificate(
            Engine.KRYLOV,
            "love, rank 50",
            0.01,
            new VarianceBound(VarianceBound.Kind.CHECKED, 48, 0.02),
            0.0125,
            Interpolation.UNKNOWN);
    assertFalse(checked.met());
    assertEquals(
        "variances checked within 2.0 % at 48 points (love, rank 50); means solved for within 0.013"
            + " standard deviations; the tolerance asks for 0.050 standard deviations and 1.0 %; not covered: points that were not checked, interpolation between grid points, places"
            + " beyond the grid",
        checked.toString());
  }

  @Test
  void checkPointsLieInGapsAtEdgesAndBesideData() {
    LatticeProblem problem = line("1*rbf(lengthscale=0.3)", 240, 500);
    GridStatistics statistics = (GridStatistics) problem.statistics();
    double[] points = Love.checkPoints(problem, 48);
    assertEquals(48, points.length);
    long beside =
        Arrays.stream(points)
            .filter(x -> statistics.cellCounts()[statistics.grid().cell(new double[] {x}, 0)] > 0)
            .count();
    assertTrue(beside >= 24, beside + " in cells with data");
    assertTrue(Arrays.stream(points).anyMatch(x -> x == statistics.grid().low(0)));
    assertTrue(Arrays.stream(points).anyMatch(x -> x == statistics.grid().high(0)));
    assertTrue(
        Arrays.stream(points).anyMatch(x -> Math.abs(x - 0.35) < 0.02), "the middle of the gap");
    assertArrayEquals(points, Love.checkPoints(problem, 48));
  }

  @Test
  void checkPointsOfGridsSideBySideLieInTheGapsOfEach() {
    SplittableRandom random = new SplittableRandom(32);
    int n = 400;
    double[] x = new double[2 * n];
    for (int i = 0; i < x.length; i++) {
      x[i] = random.nextDouble(-1, 1);
      if (x[i] > -0.2 && x[i] < 0.6) x[i] = i % 2 == 0 ? -0.9 : 0.9;
    }
    AdditiveGrid grid = AdditiveGrid.of(Axis.covering(-1, 1, 60), Axis.covering(-1, 1, 80));
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("additive(1*rbf(lengthscale=0.3))").bind(2), 0.01, PriorMean.ZERO);
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(3 * x[2 * i]) + x[2 * i + 1];
    LatticeProblem problem = LatticeProblem.of(AdditiveStatistics.of(grid, x, y), h);
    double[] points = Love.checkPoints(problem, 48);
    boolean gap = false;
    boolean corner = false;
    for (int p = 0; p < 48; p++) {
      gap |= Math.hypot(points[2 * p] - 0.2, points[2 * p + 1] - 0.2) < 0.06;
      corner |= points[2 * p] == grid.low(0) && points[2 * p + 1] == grid.low(1);
    }
    assertTrue(gap && corner, Arrays.toString(points));
    assertEquals(
        VarianceBound.Kind.CHECKED,
        LatticePosterior.love(problem, Love.DEFAULT).certificate().bound().kind());
  }
}
