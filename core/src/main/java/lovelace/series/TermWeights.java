package lovelace.series;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/// How much each term of a library counts: the sum of the weights of the points that have it.
public final class TermWeights {

  private TermWeights() {}

  /// The weights of terms by kind (`level`, `slope`, `season`, `scale`), each kind from the
  /// largest. Those of a kind add up to 1. A kind with one term is left out.
  ///
  /// @param shares of the points
  public static Map<String, Map<String, Double>> of(Library library, double[] shares) {
    Map<String, Map<String, Double>> kinds = new LinkedHashMap<>();
    put(kinds, "level", shares, j -> level(library.shape(j)));
    put(kinds, "slope", shares, j -> slope(library.shape(j).slope()));
    put(kinds, "season", shares, j -> seasons(library.shape(j).seasons()));
    put(kinds, "scale", shares, j -> scale(library.warp(j)));
    return kinds;
  }

  /// The weights before any series is seen.
  public static Map<String, Map<String, Double>> of(Library library, Weights weights) {
    double[] shares = new double[library.size()];
    double most = Double.NEGATIVE_INFINITY;
    for (double log : weights.logWeight()) most = Math.max(most, log);
    double sum = 0;
    for (int j = 0; j < shares.length; j++) {
      shares[j] = Math.exp(weights.logWeight()[j] - most);
      sum += shares[j];
    }
    for (int j = 0; j < shares.length; j++) shares[j] /= sum;
    return of(library, shares);
  }

  private static void put(
      Map<String, Map<String, Double>> kinds,
      String kind,
      double[] shares,
      IntFunction<String> name) {
    Map<String, Double> sums = new TreeMap<>();
    for (int j = 0; j < shares.length; j++) sums.merge(name.apply(j), shares[j], Double::sum);
    if (sums.size() < 2) return;
    kinds.put(
        kind,
        sums.entrySet().stream()
            .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new)));
  }

  private static String level(Shape shape) {
    String walks =
        shape.level() == 0
            ? "stays"
            : shape.level() < 0.5 ? "walks slowly" : shape.level() <= 2 ? "walks" : "walks fast";
    return shape.deviation() > 0 ? walks + ", deviations fade" : walks;
  }

  private static String slope(Slope slope) {
    if (slope.equals(Slope.NONE)) return "none";
    String lasts = slope.damping() == 1 ? "lasts" : "fades";
    return slope.change() == 0 ? lasts : lasts + " and changes";
  }

  private static String seasons(List<Season> seasons) {
    if (seasons.isEmpty()) return "none";
    return seasons.stream()
        .map(
            each ->
                number(each.period())
                    + (each.change() > 0 || each.decay() > 0 ? " changing" : " fixed"))
        .collect(Collectors.joining(" and "));
  }

  private static String scale(Warp warp) {
    return switch (warp) {
      case Warp.Power power ->
          power.lambda() == 0
              ? "logarithm"
              : power.lambda() == 1
                  ? "as it is"
                  : power.lambda() == 0.5 ? "square root" : "power " + number(power.lambda());
      case Warp.Between between -> "between bounds";
    };
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
