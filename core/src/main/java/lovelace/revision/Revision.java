package lovelace.revision;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import lovelace.data.Outside;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.options.Options.Maker;
import lovelace.plan.Engine;
import lovelace.source.Source;
import lovelace.way.Assembly;
import lovelace.way.Conditioned;
import lovelace.way.Kept;
import lovelace.way.Learners;
import lovelace.way.Pair;
import lovelace.way.Standing;
import lovelace.way.Way;
import lovelace.way.Ways;

/// The verbs on existing models. Each is a few lines on [Way] and [Kept].
public final class Revision {

  /// Notes that become wrong with other rows or other parameters.
  private static final Set<Note.Kind> OF_ROWS = Set.of(Note.Kind.ENGINE, Note.Kind.LIKELIHOOD);

  /// Notes that become wrong with other parameters.
  private static final Set<Note.Kind> OF_PARAMETERS =
      Set.of(Note.Kind.TRAINING, Note.Kind.PARAMETERS, Note.Kind.AS_GIVEN);

  private Revision() {}

  /// The model of its rows and some more, with the same parameters.
  public static ModelState add(ModelState model, Source rows, Outside outside, Maker maker)
      throws IOException {
    Alignment aligned = new Alignment(model, rows);
    return revised(Ways.of(model), model, aligned, outside, maker, true);
  }

  /// The model of its rows without some, with the same parameters.
  public static ModelState forget(ModelState model, Source rows, Outside outside, Maker maker)
      throws IOException {
    Alignment aligned = new Alignment(model, rows);
    return revised(Ways.of(model), model, aligned, outside, maker, false);
  }

  private static <K extends Kept<K>> ModelState revised(
      Standing<K> standing,
      ModelState old,
      Alignment aligned,
      Outside outside,
      Maker maker,
      boolean more)
      throws IOException {
    K rows = standing.way().read(aligned.rows(), outside);
    K all = more ? standing.kept().plus(rows) : standing.kept().minus(rows);
    List<Note> causes = new ArrayList<>(List.of(changed(old, rows, more)));
    causes.addAll(aligned.notes());
    return ofRows(standing.way(), old, all, causes, maker);
  }

  /// The remark of a model on rows that were added or removed.
  private static Note changed(ModelState old, Kept<?> rows, boolean more) {
    return new Note(
        more ? Note.Kind.UPDATE : Note.Kind.FORGET,
        String.format(
            Locale.ROOT,
            "%,d rows (fingerprint %016x) %s %,d (%s)",
            rows.count(),
            rows.fingerprint(),
            more ? "added to" : "subtracted from",
            old.count(),
            origin(old.provenance())));
  }

  /// The model of the rows of several models together, with the parameters of the first one.
  ///
  /// @param models at least two, by their names in messages
  public static ModelState merge(SequencedMap<String, ModelState> models, Maker maker) {
    ModelState first = models.firstEntry().getValue();
    String name = models.firstEntry().getKey();
    models.forEach(
        (other, model) -> {
          if (!other.equals(name)) Likeness.require(new Pair(name, other), first, model);
        });
    return merged(Ways.of(first), models, maker);
  }

  private static <K extends Kept<K>> ModelState merged(
      Standing<K> standing, SequencedMap<String, ModelState> models, Maker maker) {
    Map.Entry<String, ModelState> first = models.firstEntry();
    K all = standing.kept();
    List<Note> causes = new ArrayList<>();
    for (Map.Entry<String, ModelState> entry : models.entrySet()) {
      ModelState model = entry.getValue();
      causes.add(
          new Note(
              Note.Kind.MERGED,
              String.format(
                  Locale.ROOT, "%,d rows (%s)", model.count(), origin(model.provenance()))));
      if (entry.getKey().equals(first.getKey())) continue;
      Pair names = new Pair(first.getKey(), entry.getKey());
      double[] by = Likeness.shifts(names, first.getValue(), model);
      all = all.plus(sameKind(standing.kept(), Ways.of(model).kept()).shifted(by, all, names));
    }
    causes.add(new Note(Note.Kind.PARAMETERS, "those of the first model merged"));
    return ofRows(standing.way(), first.getValue(), all, causes, maker);
  }

  /// Casts the data of the other model, which are of the same kind: [Likeness] has checked that.
  @SuppressWarnings("unchecked")
  private static <K extends Kept<K>> K sameKind(K first, Kept<?> other) {
    return (K) first.getClass().cast(other);
  }

  /// The model of other rows with its own parameters.
  private static <K extends Kept<K>> ModelState ofRows(
      Way<K> way, ModelState old, K kept, List<Note> causes, Maker maker) {
    Hyperparameters h = old.hyperparameters();
    Way<K> now = way.revised(kept, h);
    Conditioned found = now.condition(kept, now.given(kept, h));
    Provenance before = old.provenance(); // the parameters stay, and how they were learned
    return assembly(now, old, maker)
        .model(
            kept,
            found,
            before.standardErrors(),
            before.trace(),
            notes(old.provenance().notes(), causes, found));
  }

  /// The model of the same rows under other parameters, by a chosen engine.
  public static ModelState change(ModelState model, Hyperparameters h, Engine engine, Maker maker) {
    Likeness.requireSameForm(model, h);
    return changed(Ways.of(model), model, h, engine, maker);
  }

  private static <K extends Kept<K>> ModelState changed(
      Standing<K> standing, ModelState old, Hyperparameters h, Engine engine, Maker maker) {
    standing.way().requireEngine(engine);
    K kept = standing.kept();
    Way<K> way = standing.way().planned(kept, h, engine, old.plan().seed(), false);
    List<Note> causes = List.of(new Note(Note.Kind.PARAMETERS, "given"));
    return ofParameters(way, old, kept, way.given(kept, h), causes, maker);
  }

  /// The model of the same rows after learning the parameters again from the kept data. It takes
  /// the time of the caller.
  public static ModelState learn(
      ModelState model, Hyperparameters start, Engine engine, Learning how, Maker maker) {
    if (start.freeSize() == 0) return change(model, start, engine, maker);
    Likeness.requireSameForm(model, start);
    return learned(Ways.of(model), model, start, engine, how, maker);
  }

  private static <K extends Kept<K>> ModelState learned(
      Standing<K> standing,
      ModelState old,
      Hyperparameters start,
      Engine engine,
      Learning how,
      Maker maker) {
    standing.way().requireEngine(engine);
    K kept = standing.kept();
    Way<K> way = standing.way().planned(kept, start, engine, how.seed(), true);
    Learned found = way.learn(kept, start, how);
    List<Note> causes = new ArrayList<>();
    causes.add(new Note(Note.Kind.PARAMETERS, "learned from " + kept.name()));
    scaled(start, found.hyperparameters()).ifPresent(causes::add);
    return ofParameters(
        way.settled(kept, found.hyperparameters()), old, kept, found, causes, maker);
  }

  /// The remark that known noise variances are no longer used as given: learning was free to
  /// multiply them.
  private static Optional<Note> scaled(Hyperparameters start, Hyperparameters h) {
    boolean known = start.likelihood().size() == Likelihood.Size.PRECISION;
    if (!known || start.parameter("noise").fixed()) return Optional.empty();
    return Optional.of(
        new Note(
            Note.Kind.PARAMETERS,
            String.format(
                Locale.ROOT,
                "the known noise variances are multiplied by %.4g, which was learned; fix the noise at 1 to use them as given",
                h.noise())));
  }

  /// The model of the same rows under other parameters.
  private static <K extends Kept<K>> ModelState ofParameters(
      Way<K> way, ModelState old, K kept, Learned parameters, List<Note> causes, Maker maker) {
    Conditioned found = way.condition(kept, parameters);
    List<Note> valid = new ArrayList<>(old.provenance().notes());
    valid.removeIf(note -> OF_PARAMETERS.contains(note.kind()));
    return assembly(way, old, maker).model(kept, found, notes(valid, causes, found));
  }

  private static Assembly assembly(Way<?> way, ModelState old, Maker maker) {
    return new Assembly(way.frame(), old.leftOut(), old.place(), maker);
  }

  /// The notes that still hold, why there is another model, and its own remarks. A note on the grid
  /// comes first.
  private static List<Note> notes(List<Note> old, List<Note> causes, Conditioned found) {
    List<Note> notes = new ArrayList<>(old);
    notes.removeIf(note -> OF_ROWS.contains(note.kind()));
    notes.addAll(causes);
    for (Note note : Learners.notes(found.learned()))
      if (note.kind() != Note.Kind.AS_GIVEN) notes.add(note);
    if (found.learned().timeUp()) notes.add(Learners.timeUp());
    for (Note fact : found.facts()) {
      if (fact.kind() != Note.Kind.GRID) {
        notes.add(fact);
        continue;
      }
      notes.removeIf(note -> note.kind() == Note.Kind.GRID);
      notes.addFirst(fact);
    }
    return notes;
  }

  private static String origin(Provenance p) {
    return "made %s by '%s', fingerprint %s"
        .formatted(p.created(), p.command(), p.fingerprintText());
  }
}
