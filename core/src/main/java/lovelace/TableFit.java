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
import lovelace.exact.ExactGp;
import lovelace.features.Additive;
import lovelace.kernel.Kernel;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.LatentNeighbourGp;
import lovelace.neighbours.NeighbourGp;
import lovelace.plan.Engine;
import lovelace.tables.KernelChoice;
import lovelace.tables.TableChoice;
import org.jspecify.annotations.Nullable;

/// The fit of a table with more columns than a grid takes, or with words in them, by the process of
/// its rows: what rows held out say decides how, and all rows are learned from then.
final class TableFit {

  /// The most columns of one grid.
  static final int MOST_COLUMNS = 3;

  /// The share of the time that choosing may take.
  static final double CHOOSING = 0.5;

  private TableFit() {}

  /// Whether columns are more than a grid takes, or hold words.
  static boolean isWide(List<Column> columns) {
    return columns.size() > MOST_COLUMNS || columns.stream().anyMatch(Column::isText);
  }

  /// Whether the rows may be held: nobody asked for what only a lattice offers, and there are not
  /// too many.
  static boolean mayHold(Fit fit, Survey survey) {
    boolean engine =
        switch (fit.engine()) {
          case AUTO, NEIGHBOURS ->
              survey.certainlyAtMost(
                  fit.likelihood().isGaussian()
                      ? NeighbourGp.MOST_ROWS
                      : LatentNeighbourGp.MOST_ROWS);
          case EXACT -> survey.certainlyAtMost(ExactGp.MOST_ROWS);
          default -> false;
        };
    return engine && fit.shape() == Fit.Shape.AUTO && fit.grid().isAutomatic();
  }

  /// Whether something is left to choose.
  private static boolean isOpen(Fit fit) {
    boolean engine =
        fit.engine() == Engine.EXACT || (fit.engine() == Engine.NEIGHBOURS && fit.neighbours() > 0);
    return !(fit.hasKernel() && engine && fit.hasTransform() && !fit.columnMaps());
  }

  /// Whether rows held out are to choose.
  static boolean applies(FitData data) {
    Fit fit = data.fit();
    List<Column> columns = data.source().columns();
    return isWide(columns)
        && fit.likelihood().isGaussian()
        && isOpen(fit)
        && fit.training()
        && mayHold(fit, data.survey())
        && !(fit.hasKernel() && Additive.isSum(fit.kernel(), columns.size()));
  }

  static Model model(FitData data) throws IOException {
    Fit fit = data.fit();
    Engine guess =
        fit.engine() != Engine.AUTO
            ? fit.engine()
            : data.survey().certainlyAtMost(TableChoice.SMALL) ? Engine.EXACT : Engine.NEIGHBOURS;
    List<Kernel> kernels = fit.hasKernel() ? List.of(fit.kernel()) : KernelChoice.KERNELS;
    Planner planner = new Planner(fit, data.survey(), false, null);
    boolean additive = fit.engine() == Engine.AUTO && !fit.hasKernel() && fit.given().isEmpty();
    int compared = kernels.size() + (additive ? 1 : 0) + (fit.columnMaps() ? 1 : 0);
    fit.listener().accept(planner.rows(guess, "chosen on rows held out", true, compared));
    Dataset table =
        Survey.rows(data.source(), guess, NeighbourGp.MOST_ROWS, "use an additive model");
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
                () ->
                    TableChoice.of(
                        question, LatticeFit.learner(fit.learning()), fit.learning().seed()));
    if (answer.additive()) {
      Fit transformed = fit.withTransform(answer.transform());
      FitData sum =
          new FitData(
              transformed.withShape(Fit.Shape.ADDITIVE),
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

  /// What makes columns fit for grids: short tails in place of long ones, indicators in place of
  /// words; null where they are fit already.
  private static @Nullable FeatureMap forGrids(Dataset rows, Fit fit) {
    List<Change> changes = new ArrayList<>(FeatureMap.candidates(rows));
    if (!fit.columnMaps()) Collections.fill(changes, Change.SAME);
    for (int j : Column.text(rows.columns())) changes.set(j, Change.INDICATORS);
    return changes.stream().allMatch(change -> change == Change.SAME)
        ? null
        : FeatureMap.columns(rows, changes);
  }
}
