package lovelace.series;

/// A map between values of a series, divided by their scale, and the scale on which its process is
/// Gaussian.
public sealed interface Warp {

  /// The warped value.
  double of(double y);

  /// The value that has a warped one, at most `e^50`.
  double back(double z);

  /// `log |dz/dy|`.
  double logSlope(double y);

  /// Whether a value can be warped.
  boolean takes(double y);

  /// Whether all values that can be warped are below one that cannot.
  boolean isBelow(double y);

  /// Box and Cox (1964): `(y^λ − 1)/λ`, and `log y` for λ = 0. Values must be positive unless λ =
  /// 1.
  record Power(double lambda) implements Warp {
    @Override
    public double of(double y) {
      if (lambda == 1) return y;
      return lambda == 0 ? Math.log(y) : (Math.pow(y, lambda) - 1) / lambda;
    }

    @Override
    public double back(double z) {
      if (lambda == 1) return z;
      if (lambda == 0) return Math.exp(Math.clamp(z, -50, 50));
      return Math.pow(Math.max(lambda * z + 1, 0), 1 / lambda);
    }

    @Override
    public double logSlope(double y) {
      return lambda == 1 ? 0 : (lambda - 1) * Math.log(y);
    }

    @Override
    public boolean takes(double y) {
      return lambda == 1 || y > 0;
    }

    @Override
    public boolean isBelow(double y) {
      return false;
    }
  }

  /// The logit of the place between two bounds: shares, and growth that saturates. Values at a
  /// bound are moved inside by a thousandth of the width.
  record Between(double low, double high) implements Warp {
    @Override
    public double of(double y) {
      double u = share(y);
      return Math.log(u / (1 - u));
    }

    private double share(double y) {
      return Math.clamp((y - low) / (high - low), 1e-3, 1 - 1e-3);
    }

    @Override
    public double back(double z) {
      return low + (high - low) / (1 + Math.exp(-z));
    }

    @Override
    public double logSlope(double y) {
      double u = share(y);
      return -Math.log((high - low) * u * (1 - u));
    }

    @Override
    public boolean takes(double y) {
      return y >= low && y <= high;
    }

    @Override
    public boolean isBelow(double y) {
      return y > high;
    }
  }
}
