package lovelace.experiments;

import java.util.List;

/// Published results on the satellite map of Heaton et al. (2019), *A Case Study Competition Among
/// Methods for Analyzing Large Spatial Data*, JABES 24, 398–425: eight of its methods, the smallest
/// root mean squared error first. The interval score and coverage are those of 95 % intervals.
///
/// @param minutes of the whole run, on that number of cores
public record PublishedScores(
    String method,
    double mae,
    double rmse,
    double crps,
    double intervalScore,
    double coverage,
    double minutes,
    int cores) {

  /// The results on the satellite map.
  public static final List<PublishedScores> SATELLITE =
      List.of(
          new PublishedScores("SPDE (INLA)", 1.10, 1.53, 0.83, 8.85, 0.97, 120, 2),
          new PublishedScores("NNGP, conjugate", 1.21, 1.64, 0.85, 7.57, 0.95, 2.1, 10),
          new PublishedScores("LatticeKrig", 1.22, 1.68, 0.87, 7.55, 0.96, 28, 1),
          new PublishedScores("NNGP, response", 1.24, 1.68, 0.87, 7.50, 0.94, 43, 10),
          new PublishedScores("periodic embedding", 1.29, 1.79, 0.91, 7.44, 0.93, 9.8, 1),
          new PublishedScores("multi-resolution", 1.33, 1.85, 0.94, 8.00, 0.92, 16, 1),
          new PublishedScores("gapfill", 1.33, 1.86, 1.17, 34.8, 0.36, 1.4, 40),
          new PublishedScores("local approximate GP", 1.65, 2.08, 1.17, 10.8, 0.83, 2.3, 40));
}
