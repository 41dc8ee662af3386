package lovelace.io;

import java.util.List;
import java.util.Locale;
import lovelace.bare.Bare;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Trust;
import lovelace.drift.DriftedRows;
import lovelace.drift.Terms;
import lovelace.io.Sections.Part;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;

/// Writes and reads a posterior with its feature map and its drift.
final class PosteriorLayout {

  private PosteriorLayout() {}

  /// @param working whether rows are working observations, which are kept at the features of places
  static void put(Text about, List<Part> parts, Bare bare, boolean covariance, boolean working) {
    bare.trend().ifPresent(trend -> DriftLayout.putTerms(about, trend.terms()));
    bare.drifted().ifPresent(drifted -> DriftLayout.put(about, parts, drifted));
    bare.map().ifPresent(map -> putMap(about, parts, map));
    bare.lattice().ifPresent(grid -> LatticeLayout.put(about, parts, grid, covariance));
    RowPosterior held = bare.held().orElse(null);
    if (held == null) return;
    RowPosterior process = bare.onRows();
    RowsLayout.put(about, parts, process, working ? process.data() : held.data());
  }

  private static void putMap(Text about, List<Part> parts, FeatureMap map) {
    about.put("map", map.type(), map.inputs(), map.outputs());
    parts.add(Part.of("map", map.bytes()));
  }

  static @Nullable FeatureMap map(Sections sections, Text about, int inputs, Trust trust) {
    if (about.all("map").isEmpty()) return null;
    FeatureMap map = FeatureMap.read(about.text("map"), sections.bytes("map"), trust);
    if (map.inputs() != inputs)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "its feature map reads %d columns of %d", map.inputs(), inputs));
    return map;
  }

  static Posterior read(
      Sections sections,
      Text about,
      List<Column> inputs,
      Column target,
      @Nullable FeatureMap map,
      Hyperparameters parameters) {
    return sections.has("rows")
        ? RowsLayout.read(sections, about, inputs, target, map, parameters)
        : mapped(map, LatticeLayout.read(sections, about, parameters.working()));
  }

  static Posterior readDrifted(
      Sections sections,
      Text about,
      List<Column> inputs,
      Column target,
      Terms terms,
      @Nullable FeatureMap map,
      Hyperparameters parameters) {
    if (!parameters.likelihood().isGaussian())
      throw new IllegalArgumentException(
          "its mean has a drift, and its likelihood is not Gaussian");
    if (sections.has("rows")) {
      Dataset data = RowsLayout.data(sections, inputs, target);
      Dataset features = DriftedRows.features(data, terms, map);
      if (RowsLayout.read(about, features, parameters) instanceof LinearRows process)
        return DriftedRows.of(data, terms, map, process);
      throw new IllegalArgumentException("its engine takes no drift");
    }
    LatticePosterior lattice = LatticeLayout.read(sections, about, parameters.working());
    return DriftLayout.read(sections, about, terms, lattice, map);
  }

  private static Posterior mapped(@Nullable FeatureMap map, LatticePosterior posterior) {
    return map == null ? posterior : MappedPosterior.of(map, posterior);
  }
}
