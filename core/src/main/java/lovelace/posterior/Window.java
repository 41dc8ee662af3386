package lovelace.posterior;

/// Which of the observations of a stream count.
public sealed interface Window {

  /// All of them, with the weight they came with.
  Window ALL = new All(false);

  /// All of them, each of which [Online#forget] can take back. Remembers every observation, in some
  /// hundred bytes each, so that only what was added can be taken back.
  Window REVOCABLE = new All(true);

  /// The last so many; what is older is forgotten.
  static Window sliding(int rows) {
    return new Sliding(rows);
  }

  /// All of them, the less the older: `weight · 2^(−age/halfLife)`, the age being the number of
  /// observations that came after. An observation that fades has noise variance σ²/weight; it stays
  /// counted.
  static Window decaying(double halfLife) {
    return new Decaying(halfLife);
  }

  /// See [#ALL] and [#REVOCABLE].
  record All(boolean revocable) implements Window {}

  /// See [#sliding].
  record Sliding(int rows) implements Window {
    public Sliding {
      if (rows < 1) throw new IllegalArgumentException("rows must be >= 1, got " + rows);
    }
  }

  /// See [#decaying].
  record Decaying(double halfLife) implements Window {
    public Decaying {
      if (!(halfLife >= 1 && halfLife < Double.POSITIVE_INFINITY))
        throw new IllegalArgumentException(
            "halfLife must be >= 1 observation and finite, got " + halfLife);
    }

    /// What a weight is multiplied by with every later observation.
    public double factor() {
      return Math.exp(-Math.log(2) / halfLife);
    }
  }
}
