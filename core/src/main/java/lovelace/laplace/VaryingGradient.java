package lovelace.laplace;

import lovelace.kernel.Hyperparameters;

/// The gradient of the evidence of [Varying] in the parameters. The mode moves with them by the
/// true Hessian `H = F + E`, whose system is solved by conjugate gradients in the inner product F.
final class VaryingGradient {

  private static final int MOST_ITERATIONS = 300;

  private VaryingGradient() {}

  /// The gradient at a mode.
  ///
  /// @param values the observations
  static double[] of(Hyperparameters hyperparameters, double[] values, Varying.Modes at) {
    int n = at.f.length;
    double[] pf = at.forF.variances();
    double[] sh = new double[n]; // the slope of −½ log|I + K_f W_f| in h
    double[] c = new double[n];
    double[] d = new double[n]; // the second derivative in h, less the information
    for (int i = 0; i < n; i++) {
      double r = values[i] - at.f[i];
      sh[i] = pf[i] * at.weights[i];
      c[i] = 2 * at.weights[i] * r;
      d[i] = 2 * at.weights[i] * r * r - 2;
    }
    double[][] x = solve(at, sh, c, d);
    double[] deltaF = new double[n];
    double[] deltaH = new double[n];
    for (int i = 0; i < n; i++) {
      double uf = -(at.weights[i] * x[0][i] + c[i] * x[1][i]);
      double uh = sh[i] - (c[i] * x[0][i] + (d[i] + 2) * x[1][i]);
      deltaF[i] = x[0][i] + uf / at.weights[i];
      deltaH[i] = x[1][i] + 0.5 * uh;
    }
    double[] ofF = at.forF.gradient(deltaF);
    double[] ofH = at.forH.gradient(deltaH);
    int p = hyperparameters.kernel().parameterCount();
    int q = ofH.length - 2; // kernel parameters of the noise
    double[] g = new double[hyperparameters.size()];
    System.arraycopy(ofF, 0, g, 0, p);
    System.arraycopy(ofH, 0, g, p, q);
    g[p + q] = ofH[q + 1];
    System.arraycopy(ofF, p + 1, g, p + q + 1, ofF.length - p - 1);
    return g;
  }

  /// `H⁻¹(0, s)`. F is Fisher's information of both processes, and `E = H − F`. It runs conjugate
  /// gradients on `I + F⁻¹E` in the inner product F. Every vector is stored together with its
  /// product with F.
  private static double[][] solve(Varying.Modes at, double[] s, double[] c, double[] d) {
    int n = s.length;
    double[][] x = new double[2][n];
    double[][] fr = {new double[n], s.clone()};
    double[][] r = inverse(at, fr);
    double[][] p = {r[0].clone(), r[1].clone()};
    double[][] fp = {fr[0].clone(), fr[1].clone()};
    double square = dot(r, fr);
    double first = square;
    for (int k = 0; k < MOST_ITERATIONS && square > 1e-24 * first && square > 0; k++) {
      double[][] ep = new double[2][n];
      for (int i = 0; i < n; i++) {
        ep[0][i] = c[i] * p[1][i];
        ep[1][i] = c[i] * p[0][i] + d[i] * p[1][i];
      }
      double[][] q = inverse(at, ep);
      double bent = dot(p, fp) + dot(p, ep);
      if (!(bent > 0)) break; // rounding, or not a maximum
      double a = square / bent;
      for (int b = 0; b < 2; b++)
        for (int i = 0; i < n; i++) {
          x[b][i] += a * p[b][i];
          r[b][i] -= a * (p[b][i] + q[b][i]);
          fr[b][i] -= a * (fp[b][i] + ep[b][i]);
        }
      double next = dot(r, fr);
      double share = next / square;
      square = next;
      for (int b = 0; b < 2; b++)
        for (int i = 0; i < n; i++) {
          p[b][i] = r[b][i] + share * p[b][i];
          fp[b][i] = fr[b][i] + share * fp[b][i];
        }
    }
    return x;
  }

  /// F⁻¹v: the changes of both means if their targets move by v/W.
  private static double[][] inverse(Varying.Modes at, double[][] v) {
    int n = v[0].length;
    double[] zf = new double[n];
    double[] zh = new double[n];
    for (int i = 0; i < n; i++) {
      zf[i] = v[0][i] / at.weights[i];
      zh[i] = 0.5 * v[1][i];
    }
    return new double[][] {at.forF.response(zf), at.forH.response(zh)};
  }

  private static double dot(double[][] a, double[][] b) {
    double sum = 0;
    for (int k = 0; k < 2; k++) for (int i = 0; i < a[k].length; i++) sum += a[k][i] * b[k][i];
    return sum;
  }
}
