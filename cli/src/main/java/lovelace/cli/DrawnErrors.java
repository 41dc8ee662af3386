package lovelace.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.posterior.Prediction;

/// Estimates the errors that joint draws leave in the numbers of areas, from the draws themselves.
final class DrawnErrors {

  private static final int NAMED = 5;

  private final List<String> names;
  private final double level;
  private final int draws;
  private final List<String> heavy = new ArrayList<>(); // areas whose draws have heavy tails
  private int count; // of areas so far
  private double error; // of standard errors, the largest share
  private double ends; // of the ends of intervals, the largest share of a standard error
  private String worst = "";

  /// @param names of all areas
  /// @param level of the intervals
  DrawnErrors(List<String> names, double level, int draws) {
    this.names = names;
    this.level = level;
    this.draws = draws;
  }

  /// Adds the next areas.
  void add(Prediction means) {
    for (int i = 0; i < means.size(); i++) {
      String name = names.get(count++);
      double own = means.deviationError(i);
      if (Double.isInfinite(own)) heavy.add(name);
      else error = Math.max(error, own);
      for (double p : new double[] {0.5 * (1 - level), 0.5 * (1 + level)}) {
        double end = means.quantileError(i, p) / means.deviation(i);
        if (!(end > ends)) continue;
        ends = end;
        worst = name;
      }
    }
  }

  /// The remarks to print; empty if no draws were needed.
  List<String> remarks() {
    List<String> all = new ArrayList<>();
    if (ends == 0 && error == 0 && heavy.isEmpty()) return all;
    boolean closed = error == 0 && heavy.isEmpty();
    String where = count > 1 ? ", most in " + worst : "";
    all.add(
        closed
            ? String.format(
                Locale.ROOT,
                "lower and upper come from %,d joint draws. By these draws, they are uncertain by up to %.0f %% of a standard error%s; --draws N changes that",
                draws,
                100 * ends,
                where)
            : String.format(
                Locale.ROOT,
                "standard_error, lower and upper come from %,d joint draws. By these draws, standard errors are uncertain by up to %.2g %%, and lower and upper by up to %.0f %% of a standard error%s; --draws N changes that",
                draws,
                100 * error,
                100 * ends,
                where));
    if (!heavy.isEmpty())
      all.add(
          String.format(
              Locale.ROOT,
              "in %,d of %,d areas a few draws make most of the standard error, which may be far too small: %s; ask for more --draws, or use lower and upper",
              heavy.size(),
              count,
              Reading.words(heavy, NAMED)));
    return all;
  }
}
