package lovelace.forecast;

/// A value of the history that a forecast leaves out.
///
/// @param step of the series
/// @param expected the value that the others let expect
/// @param t the distance from it in standard errors, on the scale of the processes
public record Outlier(int step, double value, double expected, double t) {}
