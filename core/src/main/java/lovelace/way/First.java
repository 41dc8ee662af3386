package lovelace.way;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.source.Source;
import lovelace.source.internal.Pass;
import lovelace.survey.Survey;
import lovelace.survey.TableRows;

/// Facts that a fit knows about its rows before the second reading. The ways of existing models
/// have none.
///
/// @param table the survey of the columns of the table
/// @param features the survey of the features of the process
/// @param training whether parameters are learned
/// @param from the start values, or the parameters
/// @param drifts whether the rows are the residuals of a drift
public record First(
    Survey table, Survey features, boolean training, Hyperparameters from, boolean drifts) {

  /// The most rows that are searched for different values at one place, before an engine would find
  /// them.
  private static final int SEEN = 10_000;

  /// Fails if rows at one place have different targets and there is no noise, or if there is
  /// nothing to learn.
  ///
  /// @param rows all of them, unchanged from the table
  void require(Source source, Dataset rows, double leastNoise) {
    TableRows.requireOneValue(rows, from.noise(), true, leastNoise);
    requireVarying(
        source,
        rows.size(),
        Arrays.stream(rows.target()).min().orElse(0),
        Arrays.stream(rows.target()).max().orElse(0));
  }

  /// The same for rows that are not held. It checks only some of them.
  void require(Source source, double leastNoise) {
    TableRows.requireOneValue(
        table.table(SEEN, source), from.noise(), table.atMost(SEEN), leastNoise);
  }

  /// Fails if there are parameters to learn and all targets have the same value.
  void requireVarying(Source source, long count, double low, double high) {
    if (training) Pass.requireVarying(source, count, low, high);
  }
}
