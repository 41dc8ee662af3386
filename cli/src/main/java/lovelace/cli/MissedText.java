package lovelace.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import lovelace.posterior.Certificate.Missed;

/// Explains that a model misses its tolerance, and names the options that meet it.
final class MissedText {

  private static final String ENGINE = "--engine ";

  private MissedText() {}

  /// One line for people.
  ///
  /// @param given the option that asks for a grid, empty if there is none
  static String line(Missed missed, String given) {
    List<String> options = new ArrayList<>();
    for (String option : options(missed))
      options.add(
          option.startsWith(ENGINE) && !given.isEmpty() ? option + " and no " + given : option);
    return "lovelace: the tolerance is missed: "
        + missed
        + (options.isEmpty()
            ? "; use fewer inputs, or a smoother kernel"
            : "; to meet it, fit again with " + String.join(" or ", options));
  }

  /// The options that meet the tolerance or accept the error that was reached, the best first.
  static List<String> options(Missed missed) {
    List<String> options = new ArrayList<>();
    if (!missed.grid().isEmpty()) options.add("--grid " + points(missed));
    missed.exact().ifPresent(engine -> options.add(ENGINE + engine));
    if (!Double.isNaN(missed.tolerance()))
      options.add("--tolerance " + tolerance(missed.tolerance()));
    return options;
  }

  private static String points(Missed missed) {
    return missed.grid().stream().map(String::valueOf).collect(Collectors.joining("x"));
  }

  private static String tolerance(double tolerance) {
    return String.format(Locale.ROOT, "%.2g", tolerance);
  }

  /// The same as JSON.
  static Map<String, Object> json(Missed missed) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("asked", Map.of("mean", missed.askedMean(), "variance", missed.askedVariance()));
    all.put("reached", Map.of("mean", missed.mean(), "variance", missed.variance()));
    all.put("remedies", options(missed));
    return all;
  }
}
