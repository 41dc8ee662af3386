package lovelace.plot;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.tables.ColumnShare;
import org.jspecify.annotations.Nullable;

/// Shows which columns matter: bars with intervals, and lengthscales beside them.
final class ColumnPicture {

  /// The most columns in one picture.
  private static final int MOST = 40;

  private ColumnPicture() {}

  static Ranking of(Model model, @Nullable Dataset data, long seed) {
    if (data == null || data.size() < 2)
      throw new IllegalArgumentException(
          "this picture needs rows, but the model keeps none; give a table of rows");
    List<ColumnShare> all =
        ColumnShare.of(model::sample, data, seed).stream()
            .sorted(Comparator.comparingDouble(share -> -share.value()))
            .toList();
    List<ColumnShare> most = all.subList(0, Math.min(MOST, all.size()));
    String rest =
        all.size() > MOST
            ? String.format(Locale.ROOT, "; %d more matter less", all.size() - MOST)
            : "";
    Ranking ranking =
        Ranking.titled(
                "Which columns matter for " + model.target().name(),
                most.stream().map(s -> model.columns().get(s.column()).label()).toList())
            .subtitle(
                "Share of the variance of "
                    + model.target().name()
                    + " that is lost when a column is shuffled; lines are 95 % intervals"
                    + rest)
            .shares(
                "share of variance (%)",
                percent(most, ColumnShare::value),
                percent(most, ColumnShare::low),
                percent(most, ColumnShare::high));
    if (model.map().isPresent()
        || model.hyperparameters().kernel().dimensions() != data.dimensions()) return ranking;
    double[] lengths = ColumnShare.lengthscales(model.hyperparameters().kernel(), data);
    return ranking.words(
        "lengthscale",
        most.stream()
            .map(s -> length(lengths[s.column()], model.columns().get(s.column()).isText()))
            .toList());
  }

  private static double[] percent(List<ColumnShare> shares, ToDoubleFunction<ColumnShare> part) {
    return shares.stream().mapToDouble(s -> 100 * part.applyAsDouble(s)).toArray();
  }

  private static String length(double value, boolean word) {
    if (Double.isNaN(value)) return "–";
    if (value >= 1000) return "> 1000" + (word ? "" : " sd");
    return String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value) + (word ? "" : " sd");
  }
}
