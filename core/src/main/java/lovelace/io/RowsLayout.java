package lovelace.io;

import java.util.Arrays;
import java.util.List;
import lovelace.chain.ChainGp;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.PlaceMap;
import lovelace.exact.ExactGp;
import lovelace.io.Sections.Part;
import lovelace.kernel.Hyperparameters;
import lovelace.latent.LatentNeighbourGp;
import lovelace.neighbours.NeighbourGp;
import lovelace.plan.Engine;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sites.SiteGp;
import org.jspecify.annotations.Nullable;

/// Writes and reads a posterior that holds its rows.
final class RowsLayout {

  private static final int MOST_ROWS = ChainGp.MOST_ROWS;

  private RowsLayout() {}

  /// @param process without its wrappers
  /// @param data its rows, unchanged from the table or as features
  static void put(Text about, List<Part> parts, RowPosterior process, Dataset data) {
    about
        .put("engine", EngineLayout.text(process.engine()))
        .put("rows", data.size())
        .put("holds", "the training rows, which its engine needs");
    if (process instanceof SiteGp sites) {
      LatticeLayout.putAxes(about, sites.grid());
      about.put("neighbours", sites.neighbours());
    }
    if (process instanceof NeighbourGp gp) about.put("neighbours", gp.neighbours());
    if (process instanceof LatentNeighbourGp gp)
      about.put("neighbours", gp.neighbours(), gp.seed());
    double[] weights = new double[data.size()];
    for (int i = 0; i < weights.length; i++) weights[i] = data.weight(i);
    parts.add(Part.of("rows", data.inputs(), data.target(), weights));
  }

  static RowPosterior read(
      Sections sections,
      Text about,
      List<Column> inputs,
      Column target,
      @Nullable FeatureMap map,
      Hyperparameters parameters) {
    if (map instanceof PlaceMap plane && !parameters.likelihood().isGaussian()) {
      Dataset working = data(sections, map.features(inputs), target);
      return MappedRows.ofFeatures(plane, inputs, read(about, working, parameters));
    }
    Dataset data = data(sections, inputs, target);
    return map == null
        ? read(about, data, parameters)
        : MappedRows.of(map, data, read(about, MappedRows.features(map, data), parameters));
  }

  static Dataset data(Sections sections, List<Column> inputs, Column target) {
    int d = inputs.size();
    double[] all = sections.doubles("rows");
    int n = all.length / (d + 2);
    if (n * (d + 2) != all.length || n > MOST_ROWS)
      throw new IllegalArgumentException("its section 'rows' has a wrong length");
    double[] weights = Arrays.copyOfRange(all, n * (d + 1), all.length);
    boolean weighted = Arrays.stream(weights).anyMatch(w -> w != 1);
    Dataset data =
        Dataset.of(
            Arrays.copyOf(all, n * d), inputs, Arrays.copyOfRange(all, n * d, n * (d + 1)), target);
    return weighted ? data.withWeights(weights) : data;
  }

  static RowPosterior read(Text about, Dataset data, Hyperparameters parameters) {
    int d = data.dimensions();
    Engine engine = EngineLayout.read(about.text("engine"), true);
    return switch (engine) {
      case EXACT -> ExactGp.of(data, parameters.working());
      case CHAIN -> ChainGp.of(data, parameters.working());
      case NEIGHBOURS ->
          parameters.likelihood().isGaussian()
              ? NeighbourGp.of(data, parameters, Math.toIntExact(about.integer("neighbours")))
              : LatentNeighbourGp.of(
                  data,
                  parameters,
                  Math.toIntExact(about.integer("neighbours")),
                  Text.toInteger(about.fields("neighbours", 2).get(1)));
      case SITES ->
          SiteGp.of(
              data,
              LatticeLayout.grid(about, d),
              parameters.working(),
              Math.toIntExact(about.integer("neighbours")));
      case AUTO, SPECTRAL, MARKOV, SPARSE, KRYLOV, DENSE ->
          throw new IllegalArgumentException(
              "its engine is '%s', which holds no rows".formatted(engine));
    };
  }
}
