package lovelace.experiments;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;

/// Measures how far a fit is from a curve with noise. Every twentieth row may be moved by 20
/// standard deviations of the noise.
public final class LikelihoodOutliers {

  private static final int ROWS = 400;
  private static final int EVERY = 20;
  private static final double NOISE = 0.2;
  private static final double MOVED = 20;

  private LikelihoodOutliers() {}

  private static double curve(double x) {
    return Math.sin(x) + 0.5 * Math.cos(3 * x);
  }

  /// The rows, some of them moved.
  static Dataset rows(boolean moved, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[ROWS];
    double[] y = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      x[i] = 10 * random.nextDouble();
      y[i] = curve(x[i]) + NOISE * random.nextGaussian();
      double sign = random.nextBoolean() ? 1 : -1;
      if (moved && i % EVERY == 0) y[i] += sign * MOVED * NOISE;
    }
    return Dataset.of(x, 1, y);
  }

  static Model fit(Likelihood likelihood, boolean moved, long seed, Fit fit) {
    return fit.withKernel("matern52").withLikelihood(likelihood).to(rows(moved, seed));
  }

  /// The mean squared error to the curve, at places distributed like the rows.
  static double error(Model model, long seed) {
    double[] x = rows(false, seed + 1000).inputs();
    double[] means = model.predict(x).means();
    double mse = 0;
    for (int i = 0; i < means.length; i++)
      mse += Math.pow(means[i] - curve(x[i]), 2) / means.length;
    return mse;
  }

  /// Nlpd of rows that were held out, none of them moved; squared error to the curve; seconds.
  private static double[] scores(Likelihood likelihood, boolean moved, long seed, Fit fit) {
    long start = System.nanoTime();
    Model model = fit(likelihood, moved, seed, fit);
    double seconds = (System.nanoTime() - start) * 1e-9;
    Dataset test = rows(false, seed + 1000);
    double nlpd = LikelihoodScore.of(model, test.inputs(), test.target())[0];
    return new double[] {nlpd, error(model, seed), seconds};
  }

  /// Measures Student's t and Gaussian noise, without outliers and with them.
  public static List<LikelihoodScore> measure(int draws, Fit fit, Consumer<String> phases)
      throws IOException {
    List<LikelihoodScore> all = new ArrayList<>();
    for (Likelihood likelihood : List.of(Likelihood.studentT(), Likelihood.gaussian()))
      for (boolean moved : new boolean[] {false, true}) {
        String problem = moved ? "curve with outliers" : "curve";
        phases.accept(problem + ", " + likelihood);
        double[] sums = new double[3];
        for (int d = 1; d <= draws; d++) {
          double[] one = scores(likelihood, moved, d, fit);
          for (int i = 0; i < sums.length; i++) sums[i] += one[i] / draws;
        }
        all.add(
            new LikelihoodScore(
                problem,
                likelihood.toString(),
                draws,
                sums[0],
                sums[1],
                sums[2],
                PeakMemory.bytes(),
                Double.NaN,
                LikelihoodScore.Published.NONE,
                LikelihoodScore.Difference.NONE,
                ""));
      }
    return all;
  }
}
