package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.features.Additive;
import lovelace.grid.GridText;
import lovelace.kernel.Kernel;
import lovelace.laplace.Window;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.plan.Engine;

/// Which shape a model has: one grid, a sum of functions, or a function of learned features.
final class Shapes {

  /// The most columns of one grid unless nothing is learned.
  private static final int MOST_COLUMNS = 3;

  /// The cells of a window along each of one to three columns, where none are asked for.
  private static final int[] USUAL_CELLS = {512, 64, 20};

  /// The most of them that a short lengthscale asks for.
  private static final int[] FINEST_CELLS = {16_384, 400, 60};

  /// A lengthscale has at least so many cells, where that is possible.
  private static final double CELLS = 3;

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

  /// The model of the intensity of events: of their counts in the cells of a window, which become
  /// smaller until a lengthscale has [#CELLS] of them.
  static Model intensity(Fit fit, Source source) throws IOException {
    requireEvents(fit, source);
    List<Column> columns = source.columns();
    int d = columns.size();
    FitData.Events.Range range = FitData.Events.Range.of(source);
    List<Note> notes = new ArrayList<>();
    for (int j = 0; j < d; j++) {
      if (fit.grid().isBounded(j)) continue;
      Column column = columns.get(j);
      String ends = column.format(range.low()[j]) + " to " + column.format(range.high()[j]);
      if (!(range.low()[j] < range.high()[j]))
        throw new IllegalArgumentException(
            "the events lie at one value of '%s', which makes no window; give bounds of '%s'"
                .formatted(column.name(), column.name()));
      notes.add(
          new Note(
              Note.Kind.ADVICE,
              "the window of '%s' is the range of the events, %s, which makes the intensity a little too high; give the bounds of where events were watched for"
                  .formatted(column.name(), ends)));
    }
    int[] cells = new int[d];
    Arrays.fill(cells, USUAL_CELLS[d - 1]);
    while (true) {
      Window window = fit.grid().window(range.low(), range.high(), range.spacings(), cells);
      FitData.Events events = FitData.Events.of(source, window, fit.outside());
      Fit counting =
          fit.withLikelihood(Likelihood.poisson())
              .withOutside(Outside.ERROR)
              .withGrid(fit.grid().onCells());
      if (!fit.hasKernel()) counting = counting.withKernel(Kernel.matern32());
      Dataset counts = window.counts(events.counts(), columns, Column.of(Dataset.EVENTS));
      List<Note> all = new ArrayList<>(notes);
      all.addFirst(new Note(Note.Kind.WINDOW, window.text(columns)));
      Model model = model(FitData.all(counting, Source.of(counts), all));
      double[] lengths = LatticeChoice.lengthscales(model.hyperparameters().kernel());
      boolean coarse = false;
      for (int j = 0; j < d; j++) {
        int wanted = (int) Math.min(FINEST_CELLS[d - 1], finer(window, j, lengths[j]));
        boolean finest = window.step(j) <= range.spacings()[j];
        if (fit.grid().hasPoints() || finest || wanted <= cells[j]) continue;
        cells[j] = wanted;
        coarse = true;
      }
      if (!coarse) return model.of(window, events.fingerprint());
      notes.add(
          new Note(
              Note.Kind.REGRID,
              "the lengthscale learned on %s is under %s cells; counted again"
                  .formatted(window.text(columns), GridText.number(CELLS))));
    }
  }

  /// How many cells a column of a window should have, for a lengthscale that was learned.
  private static double finer(Window window, int column, double lengthscale) {
    double have = lengthscale / window.step(column);
    return have < CELLS ? Math.ceil(window.cells(column) * Math.min(4, 1.5 * CELLS / have)) : 0;
  }

  /// Refuses what a model of intensity cannot follow.
  private static void requireEvents(Fit fit, Source source) {
    List<Column> columns = source.columns();
    if (columns.isEmpty() || columns.size() > MOST_COLUMNS)
      throw new IllegalArgumentException(
          "events have one to three columns, their times or places, got %s (%s); choose up to three inputs"
              .formatted(
                  columns.size(),
                  columns.stream().map(Column::name).collect(Collectors.joining(", "))));
    for (int j : Column.text(columns))
      throw new IllegalArgumentException(
          "column '%s' holds words, and events are at times or places; choose columns of numbers or dates"
              .formatted(columns.get(j).name()));
    Likelihood likelihood = fit.likelihood();
    if (!likelihood.equals(Likelihood.gaussian()) && !likelihood.equals(Likelihood.poisson()))
      throw new IllegalArgumentException(
          "the counts of events are poisson, and the likelihood is %s; leave it out"
              .formatted(likelihood));
    if (fit.engine() == Engine.EXACT || fit.engine() == Engine.NEIGHBOURS)
      throw new IllegalArgumentException(
          "the intensity of events is computed on a lattice, and engine %s holds rows; use engine auto"
              .formatted(fit.engine()));
    if (fit.shape() == Fit.Shape.ADDITIVE || fit.shape() == Fit.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "the intensity of events has one grid over all columns, and the shape is %s; leave it out"
              .formatted(fit.shape()));
    if (!fit.transform().equals(TargetTransform.NONE))
      throw new IllegalArgumentException(
          "a transform is of a target, and events have none; leave it out");
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
