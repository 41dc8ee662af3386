package lovelace.io;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.KernelFunction;
import lovelace.kernel.Parameter;
import lovelace.kernel.Parameter.Prior;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;

/// Writes and reads the kernel, the likelihood, the mean and their parameters.
final class ParameterLayout {

  private static final String OBSERVED = "observed";

  private ParameterLayout() {}

  /// Whether noise is Gaussian with one variance.
  static boolean isPlain(Likelihood likelihood) {
    return likelihood.toString().equals(Likelihood.gaussian().toString());
  }

  static void put(Text about, Hyperparameters h) {
    about.put("kernel", h.kernel()).put("prior-mean", h.mean());
    if (!isPlain(h.likelihood())) about.put(OBSERVED, h.likelihood());
    h.noiseKernel().ifPresent(kernel -> about.put("noise-kernel", kernel));
    for (Parameter p : h.parameters()) {
      List<Object> fields =
          new ArrayList<>(
              List.of(
                  p.path(), p.fixed() ? "fixed" : "free", p.lower(), p.upper(), text(p.prior())));
      for (double value : p.values()) fields.add(value);
      about.put("parameter", fields.toArray());
    }
  }

  private static String text(Optional<Prior> prior) {
    return prior.map(ParameterLayout::text).orElse("");
  }

  private static String text(Prior prior) {
    return switch (prior) {
      case Prior.LogNormal(double a, double b) -> "log-normal " + a + " " + b;
      case Prior.Gamma(double a, double b) -> "gamma " + a + " " + b;
      case Prior.Normal(double a, double b) -> "normal " + a + " " + b;
    };
  }

  static Hyperparameters read(Text about, int dimensions, KernelFunction... own) {
    if (dimensions == 0) throw new IllegalArgumentException("it has no input columns");
    Kernel kernel = Kernel.parse(about.text("kernel"), own).attach(dimensions);
    PriorMean mean = PriorMean.named(about.text("prior-mean"), dimensions);
    Likelihood likelihood =
        about.all(OBSERVED).isEmpty()
            ? Likelihood.gaussian()
            : Likelihood.parse(about.text(OBSERVED));
    Kernel ofNoise =
        likelihood.isVarying()
            ? Kernel.parse(about.text("noise-kernel"), own).attach(dimensions)
            : null;
    Hyperparameters h = Hyperparameters.of(kernel, likelihood, ofNoise, mean);
    List<List<String>> lines = about.all("parameter");
    if (lines.size() != h.parameters().size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "it has %d parameters, but its kernel and likelihood have %d",
              lines.size(),
              h.parameters().size()));
    h = h.with(parameters(h, lines));
    if (!h.unset().isEmpty())
      throw new IllegalArgumentException("parameters have no value: " + h.unset());
    return h;
  }

  /// The parameters with the values of the lines, matched by name.
  private static List<Parameter> parameters(Hyperparameters h, List<List<String>> lines) {
    List<Parameter> next = new ArrayList<>(h.parameters());
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < next.size(); i++) places.put(next.get(i).path(), i);
    for (List<String> line : lines) {
      if (line.size() < 6) throw new IllegalArgumentException("a parameter has " + line);
      Integer place = places.remove(line.get(0));
      if (place == null)
        throw new IllegalArgumentException(
            "parameter '%s' is none of its kernel and likelihood, or is given twice"
                .formatted(line.get(0)));
      Parameter p =
          next.get(place)
              .withValues(Text.toNumbers(line.subList(5, line.size())))
              .withBounds(Text.toNumber(line.get(2)), Text.toNumber(line.get(3)))
              .withFixed(line.get(1).equals("fixed"));
      next.set(place, line.get(4).isEmpty() ? p : p.withPrior(prior(line.get(4))));
    }
    return next;
  }

  private static Prior prior(String text) {
    String[] words = text.split(" ", -1);
    if (words.length != 3) throw new IllegalArgumentException("a prior is '" + text + "'");
    double a = Text.toNumber(words[1]);
    double b = Text.toNumber(words[2]);
    return switch (words[0]) {
      case "log-normal" -> Prior.logNormal(a, b);
      case "gamma" -> Prior.gamma(a, b);
      case "normal" -> Prior.normal(a, b);
      default -> throw new IllegalArgumentException("a prior is '" + text + "'");
    };
  }
}
