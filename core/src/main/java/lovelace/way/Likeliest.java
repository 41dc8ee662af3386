package lovelace.way;

import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.laplace.Observations;
import lovelace.options.Options;
import lovelace.tables.KernelChoice;

/// Chooses the kernel under a likelihood that is not Gaussian if none was given. It is the one of
/// four with the largest evidence on some of the rows.
public final class Likeliest {

  /// The number of rows on which kernels are compared.
  private static final int COMPARED_ROWS = 500;

  private Likeliest() {}

  /// The kernel, with its learned parameters.
  ///
  /// @param starts some rows, each with the value of the function that it suggests
  public static KernelChoice of(
      Options fit, Observations data, IntFunction<Dataset> starts, List<Column> columns) {
    RowLeaf.Working some = RowLeaf.Working.exactly(data.thinned(COMPARED_ROWS));
    return KernelChoice.of(
        kernel ->
            Modes.learn(
                Modes.evidence(fit.likelihood(), some),
                fit.bound(kernel).hyperparameters(columns),
                starts,
                fit.learning()),
        String.format(Locale.ROOT, "the evidence of %,d places", some.data().size()));
  }
}
