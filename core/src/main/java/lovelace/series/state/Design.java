package lovelace.series.state;

import java.util.ArrayList;
import java.util.List;
import lovelace.series.Covariates;
import lovelace.series.Season;
import lovelace.series.Shape;
import lovelace.series.Slope;
import org.jspecify.annotations.Nullable;

/// The columns of a series whose coefficients are normal and stay: a slope that does not change,
/// the harmonics of seasons that do not change, and covariates. Coefficients are integrated out.
/// Immutable.
final class Design {

  /// The terms of the columns: a slope, covariates, and seasons from 2 on.
  static final int SLOPE = 0, COVARIATES = 1, SEASON = 2;

  private final List<Column> columns;
  private final @Nullable Covariates covariates;

  /// One column: a harmonic, a slope or a covariate.
  ///
  /// @param term of the column
  /// @param harmonic the number of the harmonic, negative for its sine; the number of the covariate
  /// @param period of the season in steps; the damping of the slope
  /// @param prior the variance of its coefficient in units of the noise
  record Column(int term, int harmonic, double period, double prior) {}

  private Design(List<Column> columns, @Nullable Covariates covariates) {
    this.columns = List.copyOf(columns);
    this.covariates = covariates;
  }

  /// The columns of what stays of a shape, and of covariates.
  static Design of(Shape shape, boolean whole, @Nullable Covariates covariates) {
    double unit = 1 + shape.level();
    List<Column> columns = new ArrayList<>();
    Slope slope = shape.slope();
    if (slope.change() == 0 && slope.first() > 0)
      columns.add(slope(slope.damping(), unit * slope.first()));
    for (int s = 0; s < shape.seasons().size(); s++) {
      Season season = shape.seasons().get(s);
      if (season.decay() > 0) continue;
      double[] w = Harmonics.of(season, whole);
      for (int j = 0; j < w.length; j++)
        if (w[j] > 0)
          add(SEASON + s, j, season.period(), unit * season.size() * w[j], whole, columns);
    }
    if (covariates != null) add(covariates, Covariates.prior(shape), columns);
    return new Design(columns, covariates);
  }

  /// Columns of one's own.
  static Design of(List<Column> columns, @Nullable Covariates covariates) {
    return new Design(columns, covariates);
  }

  /// A slope that fades by a factor a step, or stays if the factor is 1.
  static Column slope(double damping, double prior) {
    return new Column(SLOPE, 0, damping, prior);
  }

  /// Adds the cosine and the sine of a harmonic. On whole steps a sine of half the period is 0.
  static void add(
      int term, int j, double period, double prior, boolean whole, List<Column> columns) {
    columns.add(new Column(term, j, period, prior));
    if (j > 0 && !(whole && 2. * j == period)) columns.add(new Column(term, -j, period, prior));
  }

  /// Adds covariates with one prior.
  static void add(Covariates covariates, double prior, List<Column> columns) {
    for (int c = 0; c < covariates.names().size(); c++)
      columns.add(new Column(COVARIATES, c, 0, prior));
  }

  /// The number of columns.
  int size() {
    return columns.size();
  }

  Column column(int c) {
    return columns.get(c);
  }

  /// The prior variances of the coefficients.
  double[] priors() {
    return columns.stream().mapToDouble(Column::prior).toArray();
  }

  /// Writes the values at a time.
  ///
  /// @param place the row of the covariates
  void row(int place, double time, double[] row, int offset) {
    for (int c = 0; c < columns.size(); c++) {
      Column column = columns.get(c);
      row[offset + c] =
          switch (column.term) {
            case SLOPE -> grown(column.period, time);
            case COVARIATES -> covariate(column.harmonic, place);
            default -> wave(column.harmonic, time / column.period);
          };
    }
  }

  private double covariate(int number, int place) {
    if (covariates == null) throw new IllegalStateException("there are no covariates");
    return covariates.at(number, place);
  }

  /// How far a slope of 1 has come.
  private static double grown(double damping, double time) {
    return damping == 1
        ? time
        : damping == 0 ? Math.min(time, 1) : (1 - Math.pow(damping, time)) / (1 - damping);
  }

  private static double wave(int harmonic, double turns) {
    double turn = Math.abs(harmonic) * turns;
    double angle = 2 * Math.PI * (turn - Math.floor(turn));
    return harmonic >= 0 ? Math.cos(angle) : Math.sin(angle);
  }
}
