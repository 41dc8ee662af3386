package lovelace.likelihood;

import org.jspecify.annotations.Nullable;

/// Counts over an exposure e, of mean `e exp(f)`: what Poisson and negative binomial share.
abstract class Counts extends Likelihood {

  @Override
  public Size size() {
    return Size.EXPOSURE;
  }

  @Override
  public @Nullable String refusal(double y, double size) {
    if (!(y >= 0 && y <= LARGEST && y == Math.rint(y)))
      return y > LARGEST
          ? "a count must be below 2^53; use likelihood gamma"
          : y < 0
              ? "a count must be a whole number >= 0; leave the row out, or use likelihood gaussian"
              : Double.isNaN(y)
                  ? NOT_FINITE
                  : "a count must be a whole number >= 0; round it, or use likelihood gamma";
    return positive(size)
        ? null
        : "an exposure must be finite and > 0; give what the count is over, or leave the row out";
  }

  @Override
  public double start(double y, double size) {
    return Math.log((y + 0.5) / size);
  }

  @Override
  public boolean has(Of of) {
    return of != Of.PROBABILITY;
  }
}
