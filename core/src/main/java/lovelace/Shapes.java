package lovelace;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import lovelace.data.FeatureMap;
import lovelace.plan.Engine;

/// Which shape a model has: one grid, a sum of functions, or a function of learned features.
final class Shapes {

  /// The most columns of one grid unless nothing is learned.
  private static final int MOST_COLUMNS = 3;

  private Shapes() {}

  /// The model of a fit.
  static Model model(FitData data) throws IOException {
    Fit fit = data.fit();
    boolean rows = fit.engine() == Engine.EXACT || fit.engine() == Engine.NEIGHBOURS;
    if (rows && fit.shape() == Fit.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "the %s engine learns no projection; use another engine, or shape auto"
              .formatted(fit.engine()));
    if (TableFit.applies(data)) return TableFit.model(data);
    int columns = data.source().columns().size();
    boolean one = columns <= MOST_COLUMNS || (!fit.training() && columns == 4);
    boolean sum = columns > MOST_COLUMNS && Additive.isSum(fit.kernel(), columns);
    boolean held =
        (!fit.training() || !fit.likelihood().isGaussian())
            && TableFit.isWide(data.source().columns())
            && TableFit.mayHold(fit, data.survey());
    if (rows || fit.shape() != Fit.Shape.AUTO || ((one || held) && !sum))
      return new FitRun(data).model(null, null);
    FitData additive = data.shaped(Fit.Shape.ADDITIVE);
    if (sum) return new FitRun(additive).model("additive, as the kernel is", null);
    if (!fit.training())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d inputs share no grid, and nothing is to be learned; use an additive kernel such as additive(%s)",
              columns,
              fit.kernel()));
    if (fit.grid().isOnData())
      return new FitRun(additive).model("additive, because the data's own grid is asked for", null);
    if (fit.grid().hasRanges())
      return new FitRun(additive).model("additive, because ranges of columns are given", null);
    String why =
        fit.engine() != Engine.AUTO
            ? "because the engine %s works on grids".formatted(fit.engine())
            : fit.grid().isAutomatic()
                ? "the rows of so many columns cannot be held for another model"
                : "because grid points are given";
    return new FitRun(additive).model("additive, " + why, null);
  }

  /// The model over the features of a map, with remarks on where the map comes from.
  static Model over(FitData data, FeatureMap map, List<String> remarks) throws IOException {
    Fit fit = data.fit();
    if (fit.shape() == Fit.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "a projection is a feature map itself and cannot be used with another; use shape auto, grid or"
              + " additive");
    if (fit.engine() == Engine.EXACT || fit.engine() == Engine.NEIGHBOURS)
      return new FitRun(data).over(map, remarks);
    boolean one = map.outputs() <= MOST_COLUMNS;
    FitData shaped =
        fit.shape() == Fit.Shape.AUTO
            ? data.shaped(one ? Fit.Shape.GRID : Fit.Shape.ADDITIVE)
            : data;
    return new FitRun(shaped).over(map, remarks);
  }
}
