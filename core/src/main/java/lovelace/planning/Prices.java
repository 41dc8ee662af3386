package lovelace.planning;

import java.util.Locale;
import java.util.function.Function;
import lovelace.engines.Engines;
import lovelace.grid.Lattice;
import lovelace.kernel.Kernel;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.survey.Survey;
import lovelace.tables.KernelChoice;

/// Plans of a fit with their prices. It chooses nothing.
///
/// @param survey of the columns, or of the features in their place
/// @param engines the price list of the engines on rows
public record Prices(Options fit, Survey survey, OfRows engines) {

  /// The price list of the engines on rows. Each engine knows its own costs, but lives above this
  /// package.
  @FunctionalInterface
  public interface OfRows {
    Costs costs(Engine holding, Kernel kernel, long rows, boolean learning);
  }

  /// The plan for the process of the rows, or of the nearest. Under a likelihood that is not
  /// Gaussian, and for a table of many columns, more is computed than by the engine alone.
  Plan rows(Engine engine, Kernel kernel, String why, boolean learning) {
    boolean wide = Planner.isWide(survey.columns());
    if (engine == Engine.EXACT && !fit.likelihood().isGaussian()) {
      int kernels = wide && !fit.hasKernel() ? KernelChoice.KERNELS.size() : 0;
      return rows(
          engine,
          why,
          costs(learning, learns -> Costs.observed(survey.count(), learns, learns ? kernels : 0)));
    }
    return wide
        ? table(engine, why, learning, 0)
        : rows(engine, why, costs(learning, engine, kernel));
  }

  /// The plan for a table of many columns, from which nearest rows learn.
  ///
  /// @param compared the number of models that are first compared on rows held out
  public Plan table(Engine engine, String why, boolean learning, int compared) {
    int d = survey.low().length;
    Costs costs = costs(learning, learns -> Costs.table(survey.count(), d, engine, learns));
    return rows(engine, why, costs.comparing(compared, survey.count(), d));
  }

  private Plan rows(Engine engine, String why, Costs costs) {
    return plan(engine, why, String.format(Locale.ROOT, "%,d rows", survey.count()), costs);
  }

  /// A likely plan before the kernel of a map is chosen: with the engine that was asked for, or the
  /// usual one of a rough process.
  public Plan choosing() {
    int d = survey.low().length;
    long n = survey.count();
    Engine usual =
        d > 3 ? Engine.NEIGHBOURS : Planner.mayBeSites(survey, d) ? Engine.SITES : Engine.SPARSE;
    Engine guess = fit.engine() != Engine.AUTO ? fit.engine() : usual;
    Costs after =
        fit.likelihood().isGaussian()
            ? costs(
                true,
                usual == Engine.SITES ? Engine.SITES : Engine.NEIGHBOURS,
                fit.kernel().bind(d))
            : Costs.observed(Math.min(n, Planner.OBSERVED), true, KernelChoice.KERNELS.size());
    return plan(guess, "likely before a kernel is chosen", "", after.choosing(n));
  }

  /// The plan for an engine on a lattice.
  Plan lattice(Engines.Choice choice, Lattice lattice, boolean learning) {
    Costs costs = costs(learning, learns -> Costs.lattice(choice, lattice, survey.count(), learns));
    return plan(choice.kind(), choice.reason(), "the " + lattice, costs);
  }

  /// The plan for a lattice with the rows as sites.
  Plan sites(Kernel kernel, String why, boolean learning) {
    Costs costs = costs(learning, Engine.SITES, kernel);
    return plan(Engine.SITES, why, "a grid with the rows as sites", costs);
  }

  /// The plan for a chain over the places of the rows.
  Plan chain(Kernel kernel, String why, boolean learning) {
    Costs costs = costs(learning, Engine.CHAIN, kernel);
    return plan(Engine.CHAIN, why, "the places of the rows", costs);
  }

  private Costs costs(boolean learning, Engine holding, Kernel kernel) {
    return costs(learning, learns -> engines.costs(holding, kernel, survey.count(), learns));
  }

  /// The costs of learning from every start.
  private Costs costs(boolean learning, Function<Boolean, Costs> of) {
    Costs once = of.apply(learning);
    return learning ? once.again(fit.learning().starts() - 1, of.apply(false)) : once;
  }

  private Plan plan(Engine chosen, String why, String on, Costs costs) {
    return new Plan(
        fit.engine(),
        chosen,
        why,
        on,
        fit.tolerance(),
        fit.learning().seed(),
        costs.seconds(),
        costs.bytes());
  }
}
