package lovelace.survey;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.options.Options;
import lovelace.options.Options.Given;
import lovelace.source.Source;

/// The columns of a table that a fit learns from: those that vary, and those whose range on the
/// grid was given. The others have one value in all rows and are left out.
///
/// @param kept positions of the columns to learn from, ascending
public record VaryingColumns(int columns, List<Integer> kept, List<LeftOut> leftOut) {

  public static VaryingColumns of(Options fit, Source source, Survey survey) {
    List<Column> all = source.columns();
    List<Integer> kept = new ArrayList<>();
    List<LeftOut> out = new ArrayList<>();
    for (int j = 0; j < all.size(); j++) {
      boolean constant = survey.count() > 1 && survey.low()[j] == survey.high()[j];
      if (constant && !fit.grid().hasRange(j)) out.add(new LeftOut(all.get(j), j, survey.low()[j]));
      else kept.add(j);
    }
    if (kept.isEmpty())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "every input is constant in all %,d rows (%s), there is nothing to learn from; choose inputs that vary",
              survey.count(),
              out.stream().map(LeftOut::toString).collect(Collectors.joining(", "))));
    return new VaryingColumns(all.size(), List.copyOf(kept), List.copyOf(out));
  }

  public boolean all() {
    return leftOut.isEmpty();
  }

  public int[] places() {
    return kept.stream().mapToInt(Integer::intValue).toArray();
  }

  /// The same fit for the kept columns. The kernel and grid of a projection refer to its features.
  public Options fit(Options fit) {
    if (fit.shape() == Options.Shape.PROJECTION) return fit;
    Kernel kernel = fit.kernel().keeping(columns, places());
    Options fewer = fit.bound(kernel).withGrid(fit.grid().keeping(columns, places()));
    List<Parameter> before = fit.withGiven(List.of()).hyperparameters(columns).parameters();
    List<Parameter> after = fewer.withGiven(List.of()).hyperparameters(kept.size()).parameters();
    List<Given> given = new ArrayList<>();
    for (Given g : fit.given()) {
      int[] old = sizes(before, g.name());
      int[] now = sizes(after, g.name());
      if (old.length > 0 && now.length == 0) continue; // it reads only constants
      List<Double> values = g.values();
      boolean each =
          values.size() > 1
              && values.size() % columns == 0
              && (old.length == 1
                  ? old[0] == values.size() && now[0] == values.size() / columns * kept.size()
                  : old.length == values.size() && now.length == kept.size());
      given.add(each ? new Given(g.name(), chosen(values), g.fixed()) : g);
    }
    return fewer.withGiven(given);
  }

  private static int[] sizes(List<Parameter> parameters, String name) {
    return parameters.stream()
        .filter(p -> p.path().equals(name) || p.path().endsWith("." + name))
        .mapToInt(Parameter::size)
        .toArray();
  }

  private List<Double> chosen(List<Double> values) {
    return IntStream.range(0, values.size())
        .filter(i -> kept.contains(i % columns))
        .mapToObj(values::get)
        .toList();
  }
}
