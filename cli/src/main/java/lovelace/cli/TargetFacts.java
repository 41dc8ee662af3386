package lovelace.cli;

import java.util.Optional;

/// Facts about the values of a target: whether they look like classes or counts.
final class TargetFacts {

  /// The largest number that counts as small.
  private static final double SMALL = 200;

  /// The fewest rows from which conclusions are drawn.
  private static final long FEWEST = 10;

  private double most = 0;
  private boolean zero = false;
  private boolean whole = true;
  private long count = 0;

  /// Looks at the next `rows` values.
  void see(int rows, double[] values) {
    count += rows;
    for (int i = 0; i < rows && whole; i++) {
      double y = values[i];
      whole = y >= 0 && y <= SMALL && y == Math.rint(y);
      most = Math.max(most, y);
      zero |= y == 0;
    }
  }

  /// The likelihood to suggest in place of the Gaussian one.
  Optional<String> likelihood() {
    if (!whole || count < FEWEST || (most <= 1 && !zero)) return Optional.empty();
    return Optional.of(most > 1 ? "poisson" : "bernoulli");
  }

  /// Advice about a target, which suggests this likelihood.
  Optional<String> advice(String target) {
    return likelihood()
        .map(
            name ->
                most > 1
                    ? "'%s' holds small whole numbers; if they are counts, --likelihood %s models their rate"
                        .formatted(target, name)
                    : "'%s' holds only 0 and 1; --likelihood %s models the probability of 1"
                        .formatted(target, name));
  }
}
