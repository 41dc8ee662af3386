package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.data.LinearMap;
import lovelace.data.PlaceMap;
import lovelace.features.Additive;
import lovelace.features.Projection;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.Prices;
import lovelace.source.Source;
import lovelace.survey.FitData;
import lovelace.survey.Survey;
import lovelace.survey.TableRows;
import lovelace.tables.TableChoice;
import lovelace.way.Assembly;
import lovelace.way.Conditioned;
import lovelace.way.ExactLeaf;
import lovelace.way.Frame;
import lovelace.way.KeptRows;
import lovelace.way.Learners;
import lovelace.way.NearestLeaf;
import lovelace.way.RowsWay;
import lovelace.way.Ways;
import org.jspecify.annotations.Nullable;

/// One run of a fit whose shape is known. It follows its plan from the rows to the model.
final class FitRun {

  /// The most rows from which the shares of words are estimated.
  private static final int INDICATOR_ROWS = 10_000;

  /// The most rows that a projection is learned from.
  private static final int PROJECTION_ROWS = 3000;

  private final FitData data;
  private final Options fit;
  private final Source source;
  private final Survey survey;
  private final int columns;
  private final List<Note> notes = new ArrayList<>();
  private boolean told; // remarks say where parameters come from

  FitRun(FitData data) {
    this.data = data;
    fit = data.fit();
    source = data.source();
    survey = data.survey();
    columns = source.columns().size();
    notes.addAll(data.remarks());
    remark(fit.kernel().remarks());
  }

  /// The model.
  ///
  /// @param why the reason for the shape, null if it was asked for
  /// @param known directions to start a projection from
  Model model(@Nullable String why, @Nullable LinearMap known) throws IOException {
    if (why != null) note(Note.Kind.SHAPE, why);
    if (fit.shape() == Options.Shape.PROJECTION) return projected(known);
    boolean rows = fit.engine().holdsRows();
    if (!rows && fit.shape() == Options.Shape.ADDITIVE && Column.text(source.columns()).length > 0)
      return over(indicators(), List.of());
    return run(null, complete(fit.hyperparameters(source.columns())));
  }

  /// A map from words to indicators, which have places on a lattice.
  private FeatureMap indicators() {
    if (Additive.isSum(fit.kernel(), columns))
      throw new IllegalArgumentException(
          "column '%s' holds words, which become several columns of an additive model, so the kernel must not name columns; use engine exact or neighbours for %s"
              .formatted(firstText().name(), fit.kernel()));
    List<Change> changes =
        source.columns().stream()
            .map(column -> column.isText() ? Change.INDICATORS : Change.SAME)
            .toList();
    return FeatureMap.columns(survey.table(INDICATOR_ROWS, source), changes);
  }

  private Column firstText() {
    return source.columns().get(Column.text(source.columns())[0]);
  }

  /// The model over the features of a map. Remarks say where the map comes from, and the parameters
  /// if they are not learned here.
  Model over(FeatureMap map, List<String> remarks) throws IOException {
    if (map.inputs() != columns)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the feature map needs rows of %d columns, got %d",
              map.inputs(),
              columns));
    requireNotOnData("leave it out");
    remark(remarks);
    told = !remarks.isEmpty();
    return run(map, complete(fit.hyperparameters(map.features(source.columns()))));
  }

  /// The model over coordinates on a plane.
  ///
  /// @param map of them; null if they are on a plane already
  /// @param start the known parameters; null if only the given ones are known
  Model placed(@Nullable PlaceMap map, @Nullable Hyperparameters start) throws IOException {
    if (start != null) return run(map, start);
    List<Column> seen = map == null ? source.columns() : map.features(source.columns());
    return run(map, complete(fit.hyperparameters(seen)));
  }

  private Hyperparameters complete(Hyperparameters start) {
    if (!fit.training() && !start.unset().isEmpty())
      throw new IllegalArgumentException(
          "without training every parameter needs a value; not set: "
              + String.join(", ", start.unset()));
    return start;
  }

  private Model projected(@Nullable LinearMap known) throws IOException {
    if (!fit.training())
      throw new IllegalArgumentException(
          "a projection must be learned, and training is off; turn training on, or use another shape");
    if (Column.text(source.columns()).length > 0)
      throw new IllegalArgumentException(
          "a projection needs numbers, and column '%s' holds words; leave it out, or use shape auto or additive"
              .formatted(firstText().name()));
    requireNotOnData("leave it out or use an additive model");
    if (fit.grid().hasRanges())
      throw new IllegalArgumentException(
          "ranges are for columns, and the grid of a projection covers features; leave them out or"
              + " use an additive model");
    Options.Learning learning = fit.learning();
    Optimizer optimizer =
        learning.optimizer() instanceof Lbfgs lbfgs
            ? lbfgs
                .withMaxIterations(Math.min(80, lbfgs.maxIterations()))
                .withRelativeTolerance(1e-5)
            : learning.optimizer();
    Projection projection =
        Projection.learn(
            survey.sample(PROJECTION_ROWS),
            fit.hyperparameters(Projection.FEATURES),
            known,
            optimizer,
            learning.starts(),
            learning.seed(),
            InTime.SHARE / 2,
            learning.progress());
    if (projection.timeUp())
      note(Note.Kind.TIME, "the directions are the best found in their share of the time");
    for (int f = 0; f < Projection.FEATURES; f++)
      note(Note.Kind.FEATURE, String.format(Locale.ROOT, "%d: %s", f + 1, words(projection, f)));
    return run(projection.map(), projection.hyperparameters());
  }

  private void requireNotOnData(String remedy) {
    if (fit.grid().isOnData())
      throw new IllegalArgumentException(
          "the data's own grid covers columns, and this model's grid covers features; " + remedy);
  }

  /// The columns with the largest weights in a feature, as text.
  private String words(Projection projection, int feature) {
    return IntStream.range(0, columns)
            .boxed()
            .sorted(
                (a, b) ->
                    Double.compare(weight(projection, feature, b), weight(projection, feature, a)))
            .limit(6)
            .map(
                j ->
                    String.format(
                        Locale.ROOT,
                        "%+.2f %s",
                        projection.direction(feature, j),
                        source.columns().get(j).name()))
            .collect(Collectors.joining(" "))
        + (columns > 6 ? " …" : "")
        + " (standardised)";
  }

  private static double weight(Projection projection, int feature, int column) {
    return Math.abs(projection.direction(feature, column));
  }

  private Model run(@Nullable FeatureMap map, Hyperparameters start) throws IOException {
    FitLoop loop = new FitLoop(data, frame(map), start, notes, told);
    return Model.of(loop.run());
  }

  private Frame frame(@Nullable FeatureMap map) {
    return new Frame(
        source.columns(),
        source.target(),
        fit.transform(),
        fit.likelihood(),
        Optional.empty(),
        Optional.ofNullable(map));
  }

  /// The model of a table as chosen by rows held out.
  Model onTable(Dataset table, TableChoice.Answer answer) {
    boolean exact = answer.engine() == Engine.EXACT;
    String why =
        fit.engine() != Engine.AUTO
            ? "as asked"
            : exact ? "the process of all rows" : "the process of the nearest rows";
    Hyperparameters start = answer.start();
    boolean learns = fit.training() && start.freeSize() > 0;
    Plan plan = new Prices(fit, survey, Ways::costs).table(answer.engine(), why, learns, 0);
    fit.listener().accept(plan);
    for (String line : answer.compared()) note(Note.Kind.COMPARED, line);
    for (String line : answer.columns()) note(Note.Kind.COLUMNS, line);
    note(Note.Kind.HOLDS, Learners.HOLDS);
    TableRows.requireOneValue(table, start.noise(), true);
    NearestLeaf near = new NearestLeaf(answer.neighbours());
    ExactLeaf all = new ExactLeaf();
    Frame frame = frame(answer.map().orElse(null));
    RowsWay way = new RowsWay(frame, exact ? all : near, plan, null);
    KeptRows kept = way.kept(table);
    Dataset seen = frame.features(kept.data());
    Learned learned = learns ? near.learn(seen, start, fit.learning()) : way.given(kept, start);
    if (learns && exact && !learned.timeUp()) learned = all.refined(seen, learned, fit.learning());
    Conditioned found = way.condition(kept, learned);
    notes.addAll(found.facts());
    if (learned.timeUp()) notes.add(Learners.timeUp());
    notes.addAll(Learners.notes(learned));
    return Model.of(
        new Assembly(frame, data.leftOut(), fit.place(), fit.maker()).model(kept, found, notes));
  }

  private void note(Note.Kind kind, String text) {
    notes.add(new Note(kind, text));
  }

  private void remark(List<String> lines) {
    for (String line : lines) notes.add(Note.parse(line));
  }
}
