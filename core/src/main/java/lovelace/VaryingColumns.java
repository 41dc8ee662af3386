package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;

/// Which columns of a table a fit learns from: those that vary, and those whose range on the grid
/// was given. The others have one value in all rows and are left out.
///
/// @param kept places of the columns to learn from, ascending
record VaryingColumns(int columns, List<Integer> kept, List<LeftOut> leftOut) {

  static VaryingColumns of(Fit fit, Source source, Survey survey) {
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

  boolean all() {
    return leftOut.isEmpty();
  }

  int[] places() {
    return kept.stream().mapToInt(Integer::intValue).toArray();
  }

  /// The same fit of the kept columns. Kernel and grid of a projection are of its features.
  Fit fit(Fit fit) {
    if (fit.shape() == Fit.Shape.PROJECTION) return fit;
    Kernel kernel = fit.kernel().keeping(columns, places());
    Fit fewer = fit.bound(kernel).withGrid(fit.grid().keeping(columns, places()));
    List<Parameter> before = fit.withGiven(List.of()).hyperparameters(columns).parameters();
    List<Parameter> after = fewer.withGiven(List.of()).hyperparameters(kept.size()).parameters();
    List<Fit.Given> given = new ArrayList<>();
    for (Fit.Given g : fit.given()) {
      int[] old = sizes(before, g.name());
      int[] now = sizes(after, g.name());
      if (old.length > 0 && now.length == 0) continue; // what it is of reads constants only
      List<Double> values = g.values();
      boolean each =
          values.size() > 1
              && values.size() % columns == 0
              && (old.length == 1
                  ? old[0] == values.size() && now[0] == values.size() / columns * kept.size()
                  : old.length == values.size() && now.length == kept.size());
      given.add(each ? new Fit.Given(g.name(), chosen(values), g.fixed()) : g);
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

  /// The values of the kept columns of rows of all columns.
  static double[] chosen(double[] x, int rows, int columns, int[] places) {
    int k = places.length;
    double[] chosen = new double[rows * k];
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < k; j++) chosen[i * k + j] = x[i * columns + places[j]];
    return chosen;
  }

  /// The rows of a source with some of its columns.
  record Part(Source source, List<Integer> kept) implements Source {

    static Part of(Source source, int[] places) {
      return new Part(source, Arrays.stream(places).boxed().toList());
    }

    private int[] places() {
      return kept.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public List<Column> columns() {
      return kept.stream().map(source.columns()::get).toList();
    }

    @Override
    public Column target() {
      return source.target();
    }

    @Override
    public void read(Sink sink) throws IOException {
      int d = source.columns().size();
      int[] places = places();
      source.read(
          (count, x, y, weights) -> sink.accept(count, chosen(x, count, d, places), y, weights));
    }
  }
}
