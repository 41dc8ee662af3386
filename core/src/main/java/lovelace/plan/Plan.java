package lovelace.plan;

import java.util.Locale;

/// How a model is computed. A plan is made once, before the rows are read. It is revised if the
/// rows, or the parameters learned from them, require it. Updates and merges follow it.
///
/// @param asked the engine that was asked for. With `AUTO`, Lovelace chooses the engine, and an
///   update chooses again
/// @param chosen the engine that computes the posterior, never `AUTO`
/// @param reason why it was chosen, for people
/// @param on what it works on, for people: a lattice, or rows; empty if unknown
/// @param tolerance the relative error of variances that was asked for
/// @param seed the seed for what is random
/// @param seconds about how long learning and conditioning take; NaN if unknown
/// @param bytes about how much memory they take; 0 if unknown
public record Plan(
    Engine asked,
    Engine chosen,
    String reason,
    String on,
    double tolerance,
    long seed,
    double seconds,
    long bytes) {

  public Plan {
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + tolerance);
    if (chosen == Engine.AUTO)
      throw new IllegalArgumentException("a plan names the engine that was chosen, not auto");
  }

  /// For example `spectral engine, 547 modes, on the 128×96 grid over [0, 1] × [0, 2]; about 2 s,
  /// 60 MB`.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(chosen).append(" engine");
    if (!reason.isEmpty()) text.append(", ").append(reason);
    boolean rows = chosen.holdsRows();
    if (!on.isEmpty() && !rows) text.append(", on ").append(on);
    if (!Double.isNaN(seconds)) text.append("; ").append(time()).append(", ").append(memory());
    return text.toString();
  }

  private String time() {
    if (seconds < 1) return "less than 1 s";
    return seconds < 120
        ? String.format(Locale.ROOT, "about %.0f s", seconds)
        : String.format(Locale.ROOT, "about %,.0f min", seconds / 60);
  }

  private String memory() {
    return bytes < 1_000_000_000
        ? String.format(Locale.ROOT, "%.0f MB", Math.max(1, bytes / 1e6))
        : String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
  }
}
