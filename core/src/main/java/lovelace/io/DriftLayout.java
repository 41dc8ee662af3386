package lovelace.io;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import lovelace.data.FeatureMap;
import lovelace.drift.DriftStatistics;
import lovelace.drift.DriftedPosterior;
import lovelace.drift.Terms;
import lovelace.drift.Trend;
import lovelace.io.Sections.Part;
import lovelace.lattice.LatticePosterior;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// Writes and reads the drift of a model as lines and sections; [ModelFile] describes them.
final class DriftLayout {

  private DriftLayout() {}

  static void putTerms(Text about, Terms terms) {
    about.put("drift", terms.process());
    for (int j = 1; j < terms.size(); j++)
      about.put("covariate", terms.place(j), terms.centre(j), terms.scale(j));
  }

  /// The covariates of a mean with a drift; null if there is no drift.
  static @Nullable Terms terms(Text about, int columns) {
    if (about.all("drift").isEmpty()) return null;
    List<List<String>> lines = about.all("covariate");
    int p = lines.size();
    int[] places = new int[p];
    double[] centres = new double[p];
    double[] scales = new double[p];
    for (int j = 0; j < p; j++) {
      if (lines.get(j).size() != 3)
        throw new IllegalArgumentException("a covariate has " + lines.get(j));
      places[j] = Math.toIntExact(Text.toInteger(lines.get(j).get(0)));
      centres[j] = Text.toNumber(lines.get(j).get(1));
      scales[j] = Text.toNumber(lines.get(j).get(2));
    }
    return Terms.of(columns, Math.toIntExact(about.integer("drift")), places, centres, scales);
  }

  /// Writes everything except the terms and the posterior of the residuals.
  static void put(Text about, List<Part> parts, DriftedPosterior drifted) {
    Trend trend = drifted.trend();
    about.numbers("coefficients", trend.beta()).numbers("precision", trend.system());
    int q = trend.terms().size();
    parts.add(Part.of("drift.nodes", (Object[]) arrays(q, drifted::nodes)));
    parts.add(Part.of("drift.duals", (Object[]) arrays(q, drifted::dual)));
    DriftStatistics sums = drifted.statistics();
    parts.add(
        Part.of("drift.sums", (Object[]) arrays(sums.residual().occupiedCells(), sums::sums)));
  }

  private static double[][] arrays(int count, IntFunction<double[]> each) {
    return IntStream.range(0, count).mapToObj(each).toArray(double[][]::new);
  }

  static DriftedPosterior read(
      Sections sections,
      Text about,
      Terms terms,
      LatticePosterior lattice,
      @Nullable FeatureMap map) {
    if (!(lattice.statistics() instanceof GridStatistics residual))
      throw new IllegalArgumentException(
          "it has a drift and a sum of grids, which do not go together");
    int q = terms.size();
    int m = residual.grid().size();
    Trend trend =
        Trend.of(
            terms,
            Text.toNumbers(about.fields("coefficients", q)),
            Text.toNumbers(about.fields("precision", q * q)));
    int width = DriftStatistics.width(residual.grid().dimensions(), q - 1);
    DriftStatistics statistics =
        DriftStatistics.assemble(
            residual,
            q - 1,
            cut(
                sections.doubles("drift.sums", (long) residual.occupiedCells() * width),
                residual.occupiedCells(),
                width));
    return DriftedPosterior.of(
        trend,
        statistics,
        lattice,
        map,
        cut(sections.doubles("drift.nodes", (long) q * m), q, m),
        cut(sections.doubles("drift.duals", (long) q * m), q, m));
  }

  private static double[][] cut(double[] all, int count, int length) {
    double[][] parts = new double[count][];
    for (int i = 0; i < count; i++)
      parts[i] = Arrays.copyOfRange(all, i * length, (i + 1) * length);
    return parts;
  }
}
