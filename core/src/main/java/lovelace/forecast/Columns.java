package lovelace.forecast;

import java.util.List;
import java.util.Locale;
import lovelace.series.Covariates;

/// Columns that are known for the past and the horizon, such as prices or holidays. Immutable.
public final class Columns {

  private final Covariates covariates;

  private Columns(Covariates covariates) {
    this.covariates = covariates;
  }

  /// Columns of one length.
  ///
  /// @param columns by name, then step; all finite
  public static Columns of(List<String> names, double[][] columns) {
    double[][] copy = new double[columns.length][];
    for (int c = 0; c < copy.length; c++) copy[c] = columns[c].clone();
    return new Columns(Covariates.of(names, copy));
  }

  /// The same columns from a row on, for a series that begins there.
  public Columns from(int row) {
    if (row < 0 || row > covariates.rows())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the first row must lie between 0 and %d, got %d",
              covariates.rows(),
              row));
    return new Columns(covariates.from(row));
  }

  public List<String> names() {
    return covariates.names();
  }

  /// The number of rows.
  public int rows() {
    return covariates.rows();
  }

  Covariates covariates() {
    return covariates;
  }
}
