package lovelace.way;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.grid.Lattice;
import lovelace.grid.OutsideGridException;
import lovelace.io.Fingerprint;
import lovelace.laplace.Observations;
import lovelace.likelihood.Likelihood;
import lovelace.planning.LatticeChoice;
import lovelace.source.Source;
import lovelace.survey.Survey;
import org.jspecify.annotations.Nullable;

/// A way under a likelihood that is not Gaussian. Laplace's approximation replaces each exact step.
public sealed interface ObservedWay extends Way<KeptObservations>
    permits ObservedRowsWay, ObservedLatticeWay, LatentWay {

  /// The most places that a model holds.
  int MOST_PLACES = 50_000_000;

  /// Null for an existing model.
  @Nullable First first();

  /// The lattice of the model; empty if it is computed from its rows.
  Optional<Lattice> lattice();

  /// Whether rows at one place are kept apart, although their observations could be added.
  boolean apart();

  /// Reads the rows, and adds observations at one place if possible. Rows outside the lattice are
  /// refused or left out.
  @Override
  default KeptObservations read(Source rows, Outside outside) throws IOException {
    Source seen = frame().features(rows);
    Likelihood likelihood = frame().likelihood();
    Lattice lattice = lattice().orElse(null);
    int d = seen.columns().size();
    Observations.Builder all = new Observations.Builder(likelihood, d, !apart());
    Fingerprint print = new Fingerprint();
    long[] before = {0};
    seen.read(
        (count, x, y, given) -> {
          Budget.check();
          double[] sizes = given.orElse(null);
          for (int i = 0; i < count; i++) {
            double size = sizes == null ? 1 : sizes[i];
            long number = before[0] + i + 1;
            int column = lattice == null ? -1 : lattice.outsideColumn(x, i * d);
            if (column >= 0 && outside != Outside.ERROR) continue;
            if (lattice != null && column >= 0) {
              OutsideGridException e =
                  new OutsideGridException(lattice, number - 1, column, x[i * d + column]);
              throw new IllegalArgumentException(
                  e.message(
                      "column '" + seen.columns().get(column).name() + "'",
                      OutsideGridException.REMEDY),
                  e);
            }
            String refusal = Survey.refusal(likelihood, y[i], size);
            if (refusal != null)
              throw Survey.refused(
                  seen, likelihood, refusal, y[i], given.isPresent(), size, number);
            all.add(x, i * d, y[i], size, number);
            if (all.size() > MOST_PLACES) throw tooMany(likelihood);
            print.add(x, i * d, d, y[i], size);
          }
          before[0] += count;
        });
    if (all.size() == 0) throw none(lattice);
    return new KeptObservations(all.build(), likelihood, apart(), lattice(), print.value());
  }

  private static IllegalArgumentException tooMany(Likelihood likelihood) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "a model with the %s likelihood keeps its rows, and there are more than %,d at different places; use fewer rows, or round their places to a grid",
            likelihood.name(),
            MOST_PLACES));
  }

  private IllegalArgumentException none(@Nullable Lattice lattice) {
    return new IllegalArgumentException(
        first() == null
            ? "no rows are left to add or forget; check filters, missing values and bounds"
            : "none of the rows lies inside the %s; widen its bounds".formatted(lattice));
  }

  /// Some rows to start learning from, each with the value of the function that it suggests.
  default IntFunction<Dataset> starts(Observations data) {
    if (first() != null) return first().features()::sample;
    Dataset rows = Survey.starts(data.thinned(LatticeChoice.START_ROWS), frame().likelihood());
    return rows::thinned;
  }
}
