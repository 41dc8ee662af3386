package lovelace.way;

import java.util.Locale;
import java.util.Optional;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.laplace.Observations;
import lovelace.likelihood.Likelihood;

/// The observations of rows under a likelihood that is not Gaussian, at the features of their
/// places. A transform is never used with such a likelihood.
///
/// @param apart whether rows at one place are kept apart, although their observations could be
///   added
/// @param lattice of the model; empty if it is computed from its rows
public record KeptObservations(
    Observations data,
    Likelihood likelihood,
    boolean apart,
    Optional<Lattice> lattice,
    long fingerprint)
    implements Kept<KeptObservations> {

  @Override
  public String name() {
    return "the model's observations";
  }

  @Override
  public long count() {
    return data.rows();
  }

  @Override
  public double logJacobian() {
    return 0;
  }

  @Override
  public KeptObservations plus(KeptObservations other) {
    Observations.Builder all = builder();
    all.put(other.data);
    return with(all.build(), fingerprint + other.fingerprint);
  }

  @Override
  public KeptObservations minus(KeptObservations other) {
    Observations.Builder left = builder();
    int wrong = left.remove(other.data);
    if (wrong >= 0) throw notAmong(other.data.number(wrong));
    Kept.requireSome(left.size(), other.count(), "rows");
    return with(left.build(), fingerprint - other.fingerprint);
  }

  @Override
  public KeptObservations shifted(double[] by, KeptObservations like, Pair names) {
    if (like.lattice.isPresent() && lattice.isPresent()) requireSame(by, like, names);
    int d = data.dimensions();
    double[] x = data.places().clone();
    for (int i = 0; i < data.size(); i++)
      for (int j = 0; j < d && j < by.length; j++) x[i * d + j] += by[j];
    Observations moved =
        Observations.adopt(x, d, data.values(), data.sizes(), data.extras(), data.rows());
    return new KeptObservations(moved, like.likelihood, like.apart, like.lattice, fingerprint);
  }

  private void requireSame(double[] by, KeptObservations like, Pair names) {
    Lattice mine = like.lattice.orElseThrow();
    Lattice theirs = lattice.orElseThrow();
    if (mine instanceof Grid first && theirs instanceof Grid other)
      KeptSums.requireSame(other, by, first, names);
    else if (!mine.equals(theirs)) throw names.differentGrids(mine, theirs);
  }

  private Observations.Builder builder() {
    Observations.Builder all = new Observations.Builder(likelihood, data.dimensions(), !apart);
    all.put(data);
    return all;
  }

  private KeptObservations with(Observations other, long print) {
    return new KeptObservations(other, likelihood, apart, lattice, print);
  }

  private IllegalArgumentException notAmong(long row) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            likelihood.adds()
                ? "row %,d is not part of what the model has observed at its place; forget only what was added"
                : "row %,d is not among the model's rows; forget only what was added",
            row));
  }
}
