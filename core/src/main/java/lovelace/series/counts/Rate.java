package lovelace.series.counts;

/// How the rate of a count moves.
///
/// The rate has a slow level, gamma with shape A and mean m. Each step multiplies A by the discount
/// `level` (Harvey and Fernandes 1989). Around it the rate is gamma with shape `spread`, which
/// makes counts vary more than Poisson ones, and stays near its last values by the discount
/// `memory`: `a ← memory · a + (1 − memory) · a₀` (stabilised forgetting, Kulhavý and Zarrop 1993).
///
/// @param level discount of the slow level, at most 1
/// @param spread the shape around the level; 0 for none
/// @param memory the discount of the deviation from the level; 0 for independent steps
record Rate(double level, double spread, double memory) {

  Rate {
    if (!(level > 0 && level <= 1))
      throw new IllegalArgumentException("level must lie between 0 and 1, got " + level);
    if (!(spread >= 0)) throw new IllegalArgumentException("spread must be ≥ 0, got " + spread);
    if (!(memory >= 0 && memory < 1))
      throw new IllegalArgumentException("memory must lie between 0 and 1, got " + memory);
  }
}
