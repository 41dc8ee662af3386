package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.grid.GridText;
import lovelace.kernel.Kernel;
import lovelace.laplace.Window;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.options.Options;
import lovelace.planning.EventCells;
import lovelace.planning.LatticeChoice;
import lovelace.source.Source;
import lovelace.survey.Events;
import lovelace.survey.FitData;

/// Fits the intensity of events by their counts in the cells of a window.
final class EventFit {

  /// The most columns of events.
  private static final int MOST_COLUMNS = 3;

  /// The default number of cells of a window along each column, for one to three columns.
  private static final int[] USUAL_CELLS = {512, 64, 20};

  /// The most cells along a column that a short lengthscale can require.
  private static final int[] FINEST_CELLS = {16_384, 400, 60};

  /// A lengthscale gets at least this many cells if possible.
  private static final double CELLS = 3;

  private EventFit() {}

  /// The model of the intensity of events. It models their counts in the cells of a window, which
  /// become smaller until a lengthscale has [#CELLS] of them.
  static Model model(Fit fit, Source source) throws IOException {
    requireEvents(fit, source);
    List<Column> columns = source.columns();
    int d = columns.size();
    Events.Range range = Events.Range.of(source);
    List<Note> notes = new ArrayList<>();
    for (int j = 0; j < d; j++) {
      if (fit.grid().isBounded(j)) continue;
      Column column = columns.get(j);
      String ends = column.format(range.low()[j]) + " to " + column.format(range.high()[j]);
      if (!(range.low()[j] < range.high()[j]))
        throw new IllegalArgumentException(
            "all events have the same '%s', which makes no window; give bounds for '%s'"
                .formatted(column.name(), column.name()));
      notes.add(
          new Note(
              Note.Kind.ADVICE,
              "the window of '%s' is the range of the events, %s, which makes the intensity a little too high; give the bounds within which events were observed"
                  .formatted(column.name(), ends)));
    }
    int[] cells = new int[d];
    Arrays.fill(cells, USUAL_CELLS[d - 1]);
    while (true) {
      Window window =
          EventCells.window(fit.grid(), range.low(), range.high(), range.spacings(), cells);
      Events events = Events.of(source, window, fit.outside());
      Fit counting =
          fit.withLikelihood(Likelihood.poisson())
              .withOutside(Outside.ERROR)
              .withGrid(fit.grid().onCells());
      if (!fit.hasKernel()) counting = counting.withKernel(Kernel.matern32());
      Dataset counts = window.counts(events.counts(), columns, Column.of(Dataset.EVENTS));
      List<Note> all = new ArrayList<>(notes);
      all.addFirst(new Note(Note.Kind.WINDOW, window.text(columns)));
      Model model = Shapes.model(FitData.all(counting, Source.of(counts), all));
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
              "the lengthscale learned on %s is under %s cells; the events are counted again in smaller cells"
                  .formatted(window.text(columns), GridText.number(CELLS))));
    }
  }

  /// The number of cells that a column of a window should have, for a learned lengthscale.
  private static double finer(Window window, int column, double lengthscale) {
    double have = lengthscale / window.step(column);
    return have < CELLS ? Math.ceil(window.cells(column) * Math.min(4, 1.5 * CELLS / have)) : 0;
  }

  /// Refuses options that a model of intensity cannot follow.
  private static void requireEvents(Fit fit, Source source) {
    List<Column> columns = source.columns();
    if (fit.place().filter(Place::isGeographic).isPresent() || fit.anisotropy().isPresent())
      throw new IllegalArgumentException(
          "the window of events has cells along their columns; give coordinates on a plane, or leave the coordinate system and the anisotropy out");
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
    if (fit.engine().holdsRows())
      throw new IllegalArgumentException(
          "the intensity of events is computed on a lattice, and engine %s holds rows; use engine auto"
              .formatted(fit.engine()));
    if (fit.shape() == Options.Shape.ADDITIVE || fit.shape() == Options.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "the intensity of events has one grid over all columns, and the shape is %s; leave it out"
              .formatted(fit.shape()));
    if (!fit.transform().equals(TargetTransform.NONE))
      throw new IllegalArgumentException(
          "a transform changes the target, and events have none; leave it out");
  }
}
