package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.PointSampler;
import lovelace.lattice.SampledFunction;
import lovelace.lattice.Sampler;
import lovelace.lattice.Sampling;
import lovelace.love.Love;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;

class SamplesExampleTest {

  @Test
  void exampleOfTheSamplesPageRuns() {
    // spotless:off
    // begin
    Grid grid = Grid.of(Axis.covering(0, 10, 200));
    double[] x = new double[60];
    double[] y = new double[60];
    for (int i = 0; i < 60; i++) {
      x[i] = i / 6.0;
      y[i] = Math.sin(x[i]) + 0.1 * Math.cos(37.0 * i);
    }
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1.0*matern52(lengthscale=1.5)").bind(1), 0.01, PriorMean.ZERO);
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    LatticePosterior posterior = LatticePosterior.love(problem, Love.DEFAULT);

    Sampler sampler = posterior.sampler(); // the cheapest exact one
    double[] points = {1, 2, 3, 4, 5};
    double[] draws = sampler.draw(points, 1000, new SplittableRandom(1)); // 1000 × 5

    SampledFunction f = sampler.function(new SplittableRandom(2)); // one function, evaluated later
    double[] slope = new double[1];
    double value = f.gradient(new double[] {2.7}, 0, slope);

    PointSampler at = sampler.at(points); // what depends on the points is done once
    double[] observations = at.observe(100, new SplittableRandom(3)); // with noise
    PointSampler.Maxima maxima = at.maxima(500, new SplittableRandom(4));
    double[] best = maxima.probabilities(); // that a point is the largest of the five

    Sampler love =
        posterior.sampler(Sampling.DEFAULT.withMethod(Sampling.Method.LOVE).withRank(20));
    double share = love.capturedVariance(); // the part of the true variance that these draws have
    // end
    // spotless:on
    assertEquals(5000, draws.length);
    assertEquals(Math.sin(2.7), value, 0.3);
    assertTrue(Math.abs(slope[0]) < 3);
    assertEquals(500, observations.length);
    assertTrue(best[1] > best[3], "the sine is large at 2 and small at 4");
    assertTrue(share > 0.1 && share <= 1);
  }

  @Test
  void pageShowsTheExampleThatRuns() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/lovelace/posterior/SamplesExampleTest.java"));
    String body =
        source.substring(source.indexOf("// begin\n") + 9, source.indexOf("    // end\n"));
    String page = Files.readString(Path.of("../docs/samples.md"));
    assertTrue(page.contains(body.stripTrailing().stripIndent()), body);
  }
}
