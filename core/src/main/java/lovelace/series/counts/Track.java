package lovelace.series.counts;

/// One point of the library on its way through a series.
interface Track {

  /// The logarithm of the predictive mass or density of the value at the next step.
  double log(double y);

  /// Goes on by a step. NaN is a step without a value.
  void step(double y);

  /// The distributions of the next steps.
  Future ahead(int steps);
}
