package lovelace.neighbours;

import java.util.Locale;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.internal.LinearRows.Others;
import lovelace.posterior.internal.Points;

/// Other targets of the rows of a [NeighbourGp], at the places of the rows. Immutable.
final class NeighbourTargets implements Others {

  /// Values of rows at one place are equal up to rounding if they differ by less than this share of
  /// their mean.
  private static final double ROUNDING = 1e-12;

  private final NeighbourGp gp;
  private final double[][] values;
  private final double[][] duals;

  private NeighbourTargets(NeighbourGp gp, double[][] values, double[][] duals) {
    this.gp = gp;
    this.values = values;
    this.duals = duals;
  }

  /// The solutions for no targets.
  static NeighbourTargets none(NeighbourGp gp) {
    return new NeighbourTargets(gp, new double[0][], new double[0][]);
  }

  /// V is that of the Vecchia likelihood of the places with k neighbours. It is exact if k is the
  /// number of places.
  static NeighbourTargets of(NeighbourGp gp, double[][] targets) {
    Dataset data = gp.data();
    Dataset places = gp.places();
    Hyperparameters h = gp.hyperparameters();
    double noise = gp.noise();
    int[] place = DistinctPlaces.places(data);
    int q = targets.length;
    double[][] means = new double[q][places.size()];
    for (int j = 0; j < q; j++) {
      for (int i = 0; i < place.length; i++) {
        double share = data.weight(i) / places.weight(place[i]);
        means[j][place[i]] += share * targets[j][i];
      }
    }
    double[][] duals = new double[q][place.length];
    double[][] merged = VecchiaLikelihood.of(places, h, gp.neighbours(), 1).duals(h, means);
    for (int j = 0; j < q; j++)
      for (int i = 0; i < place.length; i++) {
        int p = place[i];
        double w = data.weight(i);
        double off = targets[j][i] - means[j][p];
        boolean alone = w == places.weight(p);
        if (!alone && !(noise > 0) && Math.abs(off) > ROUNDING * Math.abs(means[j][p]))
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "row %,d: other rows have the same inputs and other targets, but there is no noise;"
                      + " fit with noise",
                  i + 1));
        duals[j][i] = w / places.weight(p) * merged[j][p] + (noise > 0 ? w * off / noise : 0);
      }
    return new NeighbourTargets(gp, means, duals);
  }

  /// The number of targets.
  int size() {
    return values.length;
  }

  @Override
  public double[] dual(int j) {
    return duals[j].clone();
  }

  @Override
  public double[] means(double[] points) {
    double[] out = new double[Points.check(points, gp.dimensions()) * values.length];
    gp.predict(points, this, out);
    return out;
  }

  /// Writes the means at a point that a system has solved for.
  void write(LocalSystem system, int[] nearest, int at, int used, int point, double[] out) {
    int q = values.length;
    for (int j = 0; j < q; j++) {
      double sum = 0;
      for (int a = 0; a < used; a++) sum -= system.v[a] * values[j][nearest[at + a]];
      out[point * q + j] = sum;
    }
  }
}
