package lovelace.series;

import java.util.SplittableRandom;
import java.util.function.BiFunction;

/// A mixture whose intervals are as wide as values that were held out ask for.
///
/// @param horizon the number of steps that the calibration divides into parts
/// @param draws makes joint paths
public record CalibratedMixture(
    Mixture mixture,
    Calibration calibration,
    int horizon,
    BiFunction<Integer, SplittableRandom, double[][]> draws)
    implements Outlook {

  @Override
  public double cdf(int step, double y) {
    return calibration.share(step, horizon, mixture.cdf(step, y));
  }

  @Override
  public double[] quantiles(int step, double... levels) {
    return mixture.quantiles(step, calibration.levels(step, horizon, levels));
  }

  @Override
  public double[][] paths(int count, SplittableRandom random) {
    return draws.apply(count, random);
  }
}
