package lovelace.posterior;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import lovelace.plan.Engine;

/// Describes the known error of a posterior, where it is known, and which parts are not covered.
/// Variances are *certified* if they are bounded at every grid point; otherwise they are *checked*
/// at some points. The error of interpolation is never certified: it is measured or estimated at
/// some places.
///
/// @param engine the engine that computed the posterior
/// @param how the engine in words, such as `love, rank 50`
/// @param tolerance the relative error of variances that was asked for
/// @param bound how close the variances are to those of the interpolated process, and where
/// @param solving the largest error that iterations leave in the mean at the points examined, in
///   predictive standard deviations of the function; 0 if the mean is computed directly
/// @param interpolation how far the interpolated process may be from the exact one
public record Certificate(
    Engine engine,
    String how,
    double tolerance,
    VarianceBound bound,
    double solving,
    Interpolation interpolation) {

  private static final double WORTH_SAYING = 1e-4; // of a standard deviation

  /// How close the variances are to those of the interpolated process, and at which points.
  ///
  /// @param kind whether every grid point is bounded, or only some points
  /// @param points the number of points: the grid points in the range that the grid covers, or the
  ///   check points
  /// @param reached the relative width of the widest interval for a variance at these points
  public record VarianceBound(Kind kind, int points, double reached) {

    /// The kind of statement about the variances.
    public enum Kind {
      /// Bounded at every point of the grid.
      CERTIFIED,
      /// Bounded at some points: in gaps, at edges and next to data.
      CHECKED;

      /// The word used for people and in JSON: `certified` or `checked`.
      @Override
      public String toString() {
        return name().toLowerCase(Locale.ROOT);
      }
    }

    public VarianceBound {
      if (points < 1) throw new IllegalArgumentException("points must be >= 1, got " + points);
      if (!(reached >= 0))
        throw new IllegalArgumentException("reached must be >= 0, got " + reached);
    }

    /// Whether every point of the grid is bounded.
    public boolean certified() {
      return kind == Kind.CERTIFIED;
    }

    /// The points in words, such as `all 512 grid points`.
    public String where() {
      String number = String.format(Locale.ROOT, "%,d", points);
      return certified() ? "all " + number + " grid points" : number + " points";
    }
  }

  /// Parts that a certificate may not cover.
  public enum Gap {
    /// Only the check points were examined.
    OTHER_POINTS("points that were not checked"),
    /// Bounds hold only at grid points.
    BETWEEN_POINTS("places between grid points"),
    /// Nothing is known about interpolation.
    INTERPOLATION("interpolation between grid points"),
    /// Interpolation is known only at some places.
    INTERPOLATION_ELSEWHERE("interpolation at other places"),
    /// Places where the kernel continues the posterior.
    BEYOND_GRID("places beyond the grid");

    private final String words;

    Gap(String words) {
      this.words = words;
    }

    /// The words used for people and in JSON.
    @Override
    public String toString() {
      return words;
    }
  }

  /// The parts that this certificate does not cover.
  public List<Gap> notCovered() {
    List<Gap> gaps = new ArrayList<>();
    gaps.add(bound.certified() ? Gap.BETWEEN_POINTS : Gap.OTHER_POINTS);
    gaps.add(interpolation.known() ? Gap.INTERPOLATION_ELSEWHERE : Gap.INTERPOLATION);
    gaps.add(Gap.BEYOND_GRID);
    return List.copyOf(gaps);
  }

  /// The relative width of the widest interval for a variance at the points of [#bound].
  public double reached() {
    return bound.reached();
  }

  /// The relative error of a variance: the engine's and that of interpolation together.
  public double variance() {
    return interpolation.known() ? reached() + interpolation.variance() : reached();
  }

  /// The error of a mean in standard deviations: the solver's and that of interpolation together.
  public double mean() {
    return interpolation.known() ? solving + interpolation.mean() : solving;
  }

  /// Whether the error is within the tolerance at all examined places.
  public boolean met() {
    return variance() <= tolerance && mean() <= Interpolation.meanTolerance(tolerance);
  }

  /// A tolerance that a model misses: the errors that were asked for, those that were reached, and
  /// settings that would meet the tolerance. Means are in predictive standard deviations of the
  /// function, variances relative.
  ///
  /// @param askedMean the error of a mean that was asked for
  /// @param mean the error that was reached
  /// @param askedVariance the error of a variance that was asked for
  /// @param variance the error that was reached
  /// @param grid points for each axis with which a grid is expected to meet the tolerance; empty if
  ///   no such grid fits into memory
  /// @param exact the engine of an exact process, which needs no tolerance, that can take all rows;
  ///   empty if there is none
  /// @param tolerance the tolerance that this model meets; NaN if there is none
  public record Missed(
      double askedMean,
      double mean,
      double askedVariance,
      double variance,
      List<Integer> grid,
      Optional<Engine> exact,
      double tolerance) {

    public Missed {
      grid = List.copyOf(grid);
    }

    /// States the errors that were reached and those that were asked for.
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "means within %.2g standard deviations and variances within %.2g %%, where %.2g and %.2g %% were asked for",
          mean,
          100 * variance,
          askedMean,
          100 * askedVariance);
    }
  }

  /// Returns this certificate with the given error of interpolation.
  public Certificate with(Interpolation known) {
    return new Certificate(engine, how, tolerance, bound, solving, known);
  }

  @Override
  public String toString() {
    return summary()
        + "; not covered: "
        + notCovered().stream().map(Gap::toString).collect(Collectors.joining(", "));
  }

  /// States the known errors in words, without the parts that are not covered.
  public String summary() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "variances %s within %.2g %% at %s",
            bound.kind(),
            100 * reached(),
            bound.where()));
    text.append(" (").append(how).append(')');
    if (solving > WORTH_SAYING)
      text.append(
          String.format(
              Locale.ROOT, "; means solved for within %.2g standard deviations", solving));
    if (interpolation.known())
      text.append(
          String.format(
              Locale.ROOT,
              "; with interpolation, means within %.2g standard deviations and variances within %.2g %% of the exact process, %s",
              mean(),
              100 * variance(),
              interpolation.how()));
    if (!met())
      text.append(
          String.format(
              Locale.ROOT,
              "; the tolerance asks for %.2g standard deviations and %.2g %%",
              Interpolation.meanTolerance(tolerance),
              100 * tolerance));
    return text.toString();
  }

  /// How far a posterior on a lattice may be from the exact process, because functions are
  /// interpolated between lattice points.
  ///
  /// @param mean the largest error of a mean, in predictive standard deviations of the function
  /// @param variance the largest relative error of a variance
  /// @param places the number of places that were examined
  /// @param measured whether the exact process was computed there; otherwise the errors are
  ///   estimates
  public record Interpolation(double mean, double variance, int places, boolean measured) {

    /// Nothing is known.
    public static final Interpolation UNKNOWN = new Interpolation(Double.NaN, Double.NaN, 0, false);

    /// The largest allowed error of a mean, in standard deviations, for any tolerance.
    private static final double MOST = 0.05;

    /// Whether anything is known.
    public boolean known() {
      return places > 0;
    }

    /// The largest error of a mean, in standard deviations, that fits a relative tolerance of
    /// variances. Its square is a quarter of the tolerance, and it is at most 0.05.
    public static double meanTolerance(double tolerance) {
      return Math.min(MOST, Math.sqrt(tolerance) / 2);
    }

    /// Whether both errors are small enough for a tolerance.
    public boolean within(double tolerance) {
      return mean <= meanTolerance(tolerance) && variance <= tolerance;
    }

    /// How the errors are known.
    String how() {
      if (!known()) return "not known";
      return String.format(
          Locale.ROOT, "%s at %d places", measured ? "measured" : "estimated", places);
    }
  }
}
