package lovelace.bayesopt;

import java.util.List;

/// One evaluation that was told.
///
/// @param number its place in the order of telling, from 1
/// @param value the objective, NaN where the evaluation failed
/// @param constraints the further outputs, feasible where all are at most 0
public record Observation(int number, Point point, double value, List<Double> constraints) {

  public boolean failed() {
    return Double.isNaN(value);
  }

  /// Whether the evaluation succeeded and meets every constraint.
  public boolean feasible() {
    return !failed() && constraints.stream().allMatch(c -> c <= 0);
  }
}
