package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.features.Additive;
import lovelace.kernel.Kernel;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.NeighbourGp;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.planning.Planner;
import lovelace.planning.Prices;
import lovelace.source.internal.Pass;
import lovelace.survey.FitData;
import lovelace.survey.Survey;
import lovelace.survey.TableRows;
import lovelace.tables.KernelChoice;
import lovelace.tables.TableChoice;
import lovelace.way.Learners;
import lovelace.way.Ways;
import org.jspecify.annotations.Nullable;

/// Fits a table with words or with more columns than a grid can have, by the process of its rows.
/// Rows held out decide how. Then it learns from all rows.
final class TableFit {

  /// The share of the time for choosing.
  static final double CHOOSING = 0.5;

  private TableFit() {}

  /// Whether anything is left to choose.
  private static boolean isOpen(Options fit) {
    boolean engine =
        fit.engine() == Engine.EXACT || (fit.engine() == Engine.NEIGHBOURS && fit.neighbours() > 0);
    return !(fit.hasKernel() && engine && fit.hasTransform() && !fit.columnMaps());
  }

  /// Whether rows held out should choose.
  static boolean applies(FitData data) {
    Options fit = data.fit();
    List<Column> columns = data.source().columns();
    return Planner.isWide(columns)
        && fit.likelihood().isGaussian()
        && isOpen(fit)
        && fit.training()
        && Planner.mayHold(fit, data.survey())
        && !(fit.hasKernel() && Additive.isSum(fit.kernel(), columns.size()));
  }

  static Model model(FitData data) throws IOException {
    Options fit = data.fit();
    Engine guess =
        fit.engine() != Engine.AUTO
            ? fit.engine()
            : data.survey().certainlyAtMost(TableChoice.SMALL) ? Engine.EXACT : Engine.NEIGHBOURS;
    List<Kernel> kernels = fit.hasKernel() ? List.of(fit.kernel()) : KernelChoice.KERNELS;
    Prices prices = new Prices(fit, data.survey(), Ways::costs);
    boolean additive = fit.engine() == Engine.AUTO && !fit.hasKernel() && fit.given().isEmpty();
    int compared = kernels.size() + (additive ? 1 : 0) + (fit.columnMaps() ? 1 : 0);
    fit.listener().accept(prices.table(guess, "chosen on rows held out", true, compared));
    Dataset table =
        TableRows.read(data.source(), guess, NeighbourGp.MOST_ROWS, "use an additive model");
    Pass.requireVarying(
        data.source(),
        table.size(),
        Arrays.stream(table.target()).min().orElse(0),
        Arrays.stream(table.target()).max().orElse(0));
    TableChoice.Question question =
        new TableChoice.Question(
            table,
            kernels,
            kernel -> fit.bound(kernel).hyperparameters(table.columns()),
            fit.engine(),
            fit.neighbours(),
            fit.hasTransform() ? Optional.of(fit.transform()) : Optional.empty(),
            fit.columnMaps(),
            additive
                ? Optional.of(
                    fit.bound(new Kernel.Additive(Kernel.rbf())).hyperparameters(table.columns()))
                : Optional.empty());
    TableChoice.Answer answer =
        Budget.current()
            .share(CHOOSING)
            .call(
                () -> TableChoice.of(question, Learners.of(fit.learning()), fit.learning().seed()));
    if (answer.additive()) {
      Options transformed = fit.withTransform(answer.transform());
      FitData sum =
          new FitData(
              transformed.withShape(Options.Shape.ADDITIVE),
              data.source(),
              Survey.of(data.source(), transformed),
              data.leftOut(),
              data.remarks());
      String why = "additive, " + answer.compared().getFirst();
      FeatureMap map = forGrids(table, fit);
      return map == null
          ? new FitRun(sum).model(why, null)
          : new FitRun(sum).over(map, List.of(new Note(Note.Kind.SHAPE, why).toString()));
    }
    return new FitRun(data.with(fit.withTransform(answer.transform()))).onTable(table, answer);
  }

  /// A map that makes columns suitable for grids: short tails in place of long ones, indicators in
  /// place of words; null if none is needed.
  private static @Nullable FeatureMap forGrids(Dataset rows, Options fit) {
    List<Change> changes = new ArrayList<>(FeatureMap.candidates(rows));
    if (!fit.columnMaps()) Collections.fill(changes, Change.SAME);
    for (int j : Column.text(rows.columns())) changes.set(j, Change.INDICATORS);
    return changes.stream().allMatch(change -> change == Change.SAME)
        ? null
        : FeatureMap.columns(rows, changes);
  }
}
