package lovelace.posterior;

import java.util.Locale;

/// How closely variances are known beside the interpolated process, and at which points.
///
/// @param kind whether every point of the grid is bounded, or only some points
/// @param points how many points: those of the grid in the range it covers, or the check points
/// @param reached the relative width of the widest interval of a variance at these points
public record VarianceBound(Kind kind, int points, double reached) {

  /// What is said of the variances.
  public enum Kind {
    /// Bounded at every point of the grid.
    CERTIFIED,
    /// Bounded at some points: in gaps, at edges and beside data.
    CHECKED;

    /// The word for people and JSON: `certified` or `checked`.
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public VarianceBound {
    if (points < 1) throw new IllegalArgumentException("points must be >= 1, got " + points);
    if (!(reached >= 0)) throw new IllegalArgumentException("reached must be >= 0, got " + reached);
  }

  /// Whether every point of the grid is bounded.
  public boolean certified() {
    return kind == Kind.CERTIFIED;
  }

  /// The points in words, `all 512 grid points` say.
  public String where() {
    String number = String.format(Locale.ROOT, "%,d", points);
    return certified() ? "all " + number + " grid points" : number + " points";
  }
}
