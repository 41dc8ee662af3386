package lovelace.series.state;

/// One or two states of a [Chain]. A value of the series has the first of them as a summand.
///
/// Over a gap Δ the states become Φ times themselves plus noise of covariance Q. Both are written
/// into arrays: Φ as rows of 2 × 2, Q as (1,1), (1,2), (2,2). Blocks of one state use the first
/// entries.
sealed interface Block {

  /// The number of states.
  int size();

  /// The covariance of the states at time 0.
  ///
  /// @param whole whether the times are steps
  void first(boolean whole, double[] p);

  /// The transition over a gap.
  ///
  /// @param whole whether the gap is one step of a regular grid
  void over(double gap, boolean whole, double[] phi, double[] q);

  /// A level that walks from 0: variance of its innovations a step.
  record Walk(double variance) implements Block {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public void first(boolean whole, double[] p) {
      p[0] = 0;
    }

    @Override
    public void over(double gap, boolean whole, double[] phi, double[] q) {
      phi[0] = 1;
      q[0] = variance * gap;
    }
  }

  /// A deviation with covariance `variance · exp(−rate·d)`.
  record Fading(double variance, double rate) implements Block {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public void first(boolean whole, double[] p) {
      p[0] = variance;
    }

    @Override
    public void over(double gap, boolean whole, double[] phi, double[] q) {
      phi[0] = Math.exp(-rate * gap);
      q[0] = -variance * Math.expm1(-2 * rate * gap);
    }
  }

  /// A level that walks from 0, and its slope.
  ///
  /// On whole steps: `l ← l + b`, `b ← φ b`, with innovations of `level` and `change`. At other
  /// times the slope is an Ornstein-Uhlenbeck process of rate θ = −log φ, integrated exactly; its
  /// first variance and its noise are scaled by `(θ/(1 − φ))²`, so the growth of one step has the
  /// same first variance and fades by φ a step.
  record Sloping(double level, double damping, double change, double first) implements Block {
    @Override
    public int size() {
      return 2;
    }

    private double rate() {
      return -Math.log(Math.max(damping, 1e-9));
    }

    /// The square of the slope's unit at any times, in units of the slope at steps.
    private double unit() {
      double theta = rate();
      double r = theta == 0 ? 1 : theta / -Math.expm1(-theta);
      return r * r;
    }

    @Override
    public void first(boolean whole, double[] p) {
      p[0] = 0;
      p[1] = 0;
      p[2] = whole ? first : first * unit();
    }

    @Override
    public void over(double gap, boolean whole, double[] phi, double[] q) {
      phi[0] = 1;
      phi[2] = 0;
      if (whole) {
        phi[1] = 1;
        phi[3] = damping;
        q[0] = level;
        q[1] = 0;
        q[2] = change;
        return;
      }
      double theta = rate();
      double x = theta * gap;
      phi[1] = theta == 0 ? gap : -Math.expm1(-x) / theta;
      phi[3] = Math.exp(-x);
      double noise = theta == 0 ? change : 2 * theta * change * unit() / -Math.expm1(-2 * theta);
      if (x < 1e-2) { // series: the closed forms cancel
        double cube = gap * gap * gap;
        q[0] = level * gap + noise * cube * (1 / 3. - x / 4 + 7 * x * x / 60 - x * x * x / 24);
        q[1] = noise * gap * gap * (0.5 - x / 2 + 7 * x * x / 24 - x * x * x / 8);
      } else {
        double e1 = -Math.expm1(-x);
        double e2 = -Math.expm1(-2 * x);
        q[0] = level * gap + noise / (theta * theta) * (gap - 2 * e1 / theta + e2 / (2 * theta));
        q[1] = noise * e1 * e1 / (2 * theta * theta);
      }
      q[2] = theta == 0 ? noise * gap : noise * -Math.expm1(-2 * x) / (2 * theta);
    }
  }

  /// A harmonic of a season that turns by `angle` a step: it fades with a rate around 0, or walks
  /// from 0.
  ///
  /// @param variance of a harmonic that fades; 0 if it walks
  /// @param walk the variance of its innovations a step; 0 if it fades
  record Turning(double angle, double variance, double rate, double walk) implements Block {
    @Override
    public int size() {
      return 2;
    }

    @Override
    public void first(boolean whole, double[] p) {
      p[0] = variance;
      p[1] = 0;
      p[2] = variance;
    }

    @Override
    public void over(double gap, boolean whole, double[] phi, double[] q) {
      double fade = Math.exp(-rate * gap);
      double c = fade * Math.cos(angle * gap);
      double s = fade * Math.sin(angle * gap);
      phi[0] = c;
      phi[1] = s;
      phi[2] = -s;
      phi[3] = c;
      q[0] = walk * gap - variance * Math.expm1(-2 * rate * gap);
      q[1] = 0;
      q[2] = q[0];
    }
  }
}
