package lovelace;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import lovelace.data.TargetTransform;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.likelihood.Likelihood;
import lovelace.posterior.internal.RowPosterior;

/// A model in a few aligned lines, short enough for JShell, which shows 1,000 characters.
final class ModelText {

  private static final MathContext FOUR = new MathContext(4);
  private static final int MOST_COLUMNS = 6;
  private static final int LONGEST = 240;

  private final StringBuilder text = new StringBuilder();

  private ModelText() {}

  static String of(Model model) {
    ModelText text = new ModelText();
    text.title(model);
    Hyperparameters h = model.hyperparameters();
    model.window().ifPresent(window -> text.line("window", window.text(model.columns())));
    text.line("kernel", h.kernel().with(rounded(h.kernel().values())));
    if (h.likelihood().equals(Likelihood.gaussian().with(h.noise())))
      text.line("noise", rounded(model.noise())[0]);
    else text.line("likelihood", likelihood(h));
    if (model.drift().isEmpty())
      text.line("mean", h.mean() + joined(rounded(h.mean().coefficients())));
    else text.line("mean", drift(model));
    if (!model.transform().equals(TargetTransform.NONE)) text.line("transform", model.transform());
    if (!model.leftOut().isEmpty()) text.line("left out", model.leftOut());
    text.place(model);
    LatticePosterior lattice = model.lattice().orElse(null);
    if (lattice != null) text.line("posterior", lattice.statistics().lattice());
    else text.line("posterior", ofRows(model));
    if (lattice != null) text.line("accuracy", lattice.certificate().summary());
    double likelihood = model.logMarginalLikelihood();
    String restricted = model.drift().isEmpty() ? "" : " (restricted)";
    text.line(
        "log p(y)",
        Double.isNaN(likelihood) ? "not computed" : rounded(likelihood)[0] + restricted);
    return text.text.toString();
  }

  /// The likelihood with the values of its parameters, and the kernel of noise that varies.
  private static String likelihood(Hyperparameters h) {
    List<String> names = h.likelihood().parameterNames();
    double[] values = rounded(h.likelihood().values());
    StringBuilder all = new StringBuilder(h.likelihood().toString());
    for (int i = 0; i < values.length; i++)
      all.append(i == 0 ? ", " : " ").append(names.get(i)).append(' ').append(values[i]);
    h.noiseKernel().ifPresent(k -> all.append(", kernel ").append(k.with(rounded(k.values()))));
    return all.toString();
  }

  /// The coefficients of a mean with a drift, with their standard errors.
  private static String drift(Model model) {
    return model.drift().stream()
        .map(c -> c.name() + " " + rounded(c.value())[0] + " ± " + rounded(c.standardError())[0])
        .collect(Collectors.joining(", "));
  }

  /// Whether it is exact, and which rows a prediction uses.
  private static String ofRows(Model model) {
    RowPosterior rows = model.held().orElseThrow();
    if (model.laplace().isPresent()) return rows.summary() + ", by Laplace's approximation";
    return (rows.isExact() ? "exact, " : "") + rows.summary();
  }

  private void place(Model model) {
    FeatureMap map = model.map().orElse(null);
    if (model.place().isEmpty() && map == null) return;
    if (map != null && !(map instanceof PlaceMap)) {
      features(map);
      return;
    }
    String where = model.place().map(Place::toString).orElse("");
    String how = map == null ? "" : map.toString();
    line("places", where + (where.isEmpty() || how.isEmpty() ? "" : ": ") + how);
  }

  private void features(FeatureMap map) {
    line("features", String.format(Locale.ROOT, "%d of %d columns", map.outputs(), map.inputs()));
  }

  private void title(Model model) {
    List<Column> columns = model.columns();
    String names =
        columns.size() > MOST_COLUMNS
            ? columns.size() + " columns"
            : columns.stream().map(Column::name).collect(Collectors.joining(", "));
    text.append(
        String.format(
            Locale.ROOT,
            model.window().isPresent()
                ? "model of the intensity of %s over %s, %,d events"
                : "model of %s given %s, %,d rows",
            model.target().name(),
            names,
            model.count()));
  }

  private void line(String name, Object value) {
    String shown = value.toString();
    if (shown.length() > LONGEST) shown = shown.substring(0, LONGEST - 2) + " …";
    text.append(String.format(Locale.ROOT, "\n  %-10s %s", name, shown));
  }

  private static String joined(double[] values) {
    return Arrays.stream(values).mapToObj(v -> " " + v).collect(Collectors.joining());
  }

  private static double[] rounded(double... values) {
    return Arrays.stream(values)
        .map(v -> Double.isFinite(v) ? new BigDecimal(v).round(FOUR).doubleValue() : v)
        .toArray();
  }
}
