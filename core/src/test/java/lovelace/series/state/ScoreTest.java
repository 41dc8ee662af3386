package lovelace.series.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ScoreTest {

  @Test
  void gradientFromOneBackwardPassEqualsDifferences() {
    for (int seed = 0; seed < 24; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Structure structure =
          new Structure(
              List.of(Structure.Level.values()).get(random.nextInt(3)),
              new double[][] {{}, {3}, {2, 30}}[random.nextInt(3)],
              random.nextInt(2) == 0 ? new double[] {} : new double[] {7});
      int n = 90;
      double[] y = new double[n];
      double[] at = new double[n];
      double deviation = 0;
      for (int t = 0; t < n; t++) {
        deviation = 0.8 * deviation + random.nextGaussian();
        y[t] = t % 11 == 5 && seed % 2 == 0 ? Double.NaN : deviation + random.nextGaussian();
        at[t] = t == 0 ? 0 : at[t - 1] + random.nextDouble(0.1, 2);
      }
      Score score = new Score(structure, seed % 3 == 0 ? Times.of(at) : Times.steps(n), y);
      double[] x = structure.start();
      for (int i = 0; i < x.length; i++) x[i] += random.nextDouble(-1, 1);
      double[] gradient = new double[x.length];
      score.loss(x, gradient);
      for (int i = 0; i < x.length; i++) {
        double[] up = x.clone();
        double[] down = x.clone();
        up[i] += 1e-4;
        down[i] -= 1e-4;
        double[] none = new double[x.length];
        double slope = (score.loss(up, none) - score.loss(down, none)) / 2e-4;
        assertEquals(slope, gradient[i], 1e-6 * (1 + Math.abs(slope)), "seed " + seed);
      }
    }
  }
}
