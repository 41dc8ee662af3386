package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import lovelace.budget.Budget;
import lovelace.data.FeatureMap;
import lovelace.data.PlaceMap;
import lovelace.features.Additive;
import lovelace.grid.Grid;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options;
import lovelace.plan.Plan;
import lovelace.planning.ChosenLattice;
import lovelace.planning.LatticeChoice;
import lovelace.planning.Planned;
import lovelace.planning.Planned.OnLattice;
import lovelace.planning.Planned.OnPlaces;
import lovelace.planning.Planned.OnRows;
import lovelace.planning.Planned.OnSites;
import lovelace.planning.Planner;
import lovelace.posterior.Certificate;
import lovelace.source.Source;
import lovelace.survey.FitData;
import lovelace.survey.Survey;
import lovelace.tables.KernelChoice;
import lovelace.tables.TableChoice;
import lovelace.way.Assembly;
import lovelace.way.Conditioned;
import lovelace.way.First;
import lovelace.way.Frame;
import lovelace.way.Kept;
import lovelace.way.KeptObservations;
import lovelace.way.LatentWay;
import lovelace.way.Learners;
import lovelace.way.Likeliest;
import lovelace.way.Way;
import lovelace.way.Ways;
import org.jspecify.annotations.Nullable;

/// The loop of every fit. The planner chooses a way; the way reads, learns and conditions; the
/// result may lead the planner to another way.
final class FitLoop {

  private static final String LATTICE_OF_CHAIN =
      "a Matérn kernel in one dimension is a Markov chain; learned over the places of the rows";

  /// The number of neighbours of a prediction over few columns. With fewer, a map would show seams
  /// where they change.
  private static final int MAP_NEIGHBOURS = 400;

  private final FitData data;
  private final Options fit;
  private final Frame frame;
  private final Survey features;
  private final Planner planner;
  private final List<Note> notes;
  private final boolean told;
  private Planned planned;
  private @Nullable Learned learned;

  /// A loop that starts from some parameters.
  ///
  /// @param frame the wrappers of the model
  /// @param notes the remarks of the model so far
  /// @param told whether they say where the parameters come from
  FitLoop(FitData data, Frame frame, Hyperparameters start, List<Note> notes, boolean told)
      throws IOException {
    this.data = data;
    this.frame = frame;
    this.notes = new ArrayList<>(notes);
    this.told = told;
    fit = data.fit();
    FeatureMap map = frame.map().orElse(null);
    Source seen = frame.features(data.source());
    features = map == null ? data.survey() : Survey.of(seen, fit);
    boolean rows = fit.engine().holdsRows();
    List<int[]> components =
        !rows && fit.shape() == Options.Shape.ADDITIVE && seen.columns().size() > 1
            ? Additive.components(start.kernel(), seen.columns())
            : null;
    boolean mapped = map != null && !(map instanceof PlaceMap); // features are not columns
    planner = new Planner(fit, features, mapped, components, Ways::costs);
    planned = planner.first(start);
  }

  /// Repeats until the planner keeps the way.
  ModelState run() throws IOException {
    ModelState model = null;
    while (model == null) {
      fit.listener().accept(planned.plan());
      boolean drifts = fit.drift().isPresent();
      First first = new First(data.survey(), features, fit.training(), planned.from(), drifts);
      model = step(Ways.of(planned, frame, first, neighbours()));
    }
    return model;
  }

  private int neighbours() {
    if (fit.neighbours() > 0) return fit.neighbours();
    if (!fit.likelihood().isGaussian()) return LatentWay.NEIGHBOURS;
    return Planner.isWide(features.columns()) ? TableChoice.NEIGHBOURS : MAP_NEIGHBOURS;
  }

  /// Makes one round. Null if the planner wants another way.
  private <K extends Kept<K>> @Nullable ModelState step(Way<K> first) throws IOException {
    if (planned instanceof OnLattice on) {
      Budget.check();
      if (!on.regrid().isEmpty()) note(Note.Kind.REGRID, on.regrid());
    }
    K kept = first.read(data.source(), fit.outside());
    planned = planner.read(planned, kept.sums());
    Way<K> way = first.with(planned.plan());
    learned = learned(way, kept);
    if (goesOn(planner.learned(planned, kept.sums(), learned))) return null;
    Conditioned found = way.with(planned.plan()).condition(kept, learned);
    if (planned instanceof OnLattice on
        && isTooCoarse(Ways.lattice(found))
        && goesOn(planner.missed(on, learned))) return null;
    told(found);
    return new Assembly(frame, data.leftOut(), fit.place(), fit.maker()).model(kept, found, notes);
  }

  /// Takes a plan. Returns whether the rows must be read again for it.
  private boolean goesOn(Planned next) {
    boolean other = next.isElsewhere(planned);
    if (other && planned instanceof OnPlaces && learned != null)
      learned = learned.because(LATTICE_OF_CHAIN); // a lattice costs less with the learned values
    planned = next;
    return other;
  }

  /// The parameters learned in this way, or those of the previous way if the plan keeps them.
  private <K extends Kept<K>> Learned learned(Way<K> way, K kept) {
    Hyperparameters from = start(kept);
    boolean learns =
        planned instanceof OnLattice on ? on.learning() : fit.training() && from.freeSize() > 0;
    Learned found = learns ? way.learn(kept, from, fit.learning()) : way.given(kept, from);
    boolean before = learned != null && planned instanceof OnLattice && !learns;
    return before && learned != null ? learned.on(found) : found;
  }

  /// The start values of the parameters. Under a likelihood that is not Gaussian, the kernel of a
  /// table is chosen here if none was given.
  private Hyperparameters start(Kept<?> kept) {
    Hyperparameters from = planned.from();
    boolean placed = frame.map().orElse(null) instanceof PlaceMap; // chosen together with the plane
    if (!(planned instanceof OnRows && kept instanceof KeptObservations observed)
        || !Planner.isWide(features.columns())
        || fit.hasKernel()
        || !(fit.training() && from.freeSize() > 0)
        || placed) return from;
    KernelChoice choice =
        Budget.current()
            .share(TableFit.CHOOSING)
            .call(() -> Likeliest.of(fit, observed.data(), features::sample, features.columns()));
    note(Note.Kind.COMPARED, choice.text());
    return choice.start();
  }

  /// Whether a posterior misses the tolerance because of its loss between the points of its
  /// lattice.
  private boolean isTooCoarse(LatticePosterior posterior) {
    if (Budget.current().over()) return false; // the model will report its error
    Certificate certificate = posterior.certificate();
    boolean engine = certificate.reached() >= fit.tolerance(); // a finer lattice does not help
    return !certificate.interpolation().within(fit.tolerance())
        || (!certificate.met() && !engine && posterior.statistics().lattice() instanceof Grid);
  }

  /// Adds the model's remarks on its way and its parameters.
  private void told(Conditioned found) {
    Hyperparameters h = found.learned().hyperparameters();
    switch (planned) {
      case OnRows rows -> {
        if (!rows.asked()) note(Note.Kind.ENGINE, rows.plan().reason());
        notes.addAll(found.facts());
        if (!rows.asked()) note(Note.Kind.HOLDS, Learners.HOLDS);
      }
      case OnSites sites -> {
        if (!sites.asked()) note(Note.Kind.ENGINE, sites.plan().reason());
        notes.addAll(found.facts());
        note(Note.Kind.HOLDS, Learners.HOLDS_PLACES);
      }
      case OnPlaces places -> {
        notes.addAll(found.facts());
        note(Note.Kind.HOLDS, Learners.HOLDS_PLACES);
      }
      case OnLattice on -> {
        notes.addAll(found.facts());
        told(on.chosen(), h, Ways.lattice(found), found.plan());
      }
    }
    if (found.learned().timeUp()) notes.add(Learners.timeUp());
    for (Note note : Learners.notes(found.learned()))
      if (!told || note.kind() != Note.Kind.AS_GIVEN) notes.add(note);
  }

  private void told(ChosenLattice chosen, Hyperparameters h, LatticePosterior inner, Plan plan) {
    ChosenLattice known = chosen.withLengthscales(LatticeChoice.lengthscales(h.kernel()));
    note(Note.Kind.GRID, known.explanation());
    if (inner.kriges()) return; // exact at nodes, on which the rows lie
    if (LatticeChoice.isPoor(chosen.lattice(), h)) note(Note.Kind.ADVICE, known.advice());
    else if (!inner.certificate().met()) note(Note.Kind.ADVICE, planner.closer(plan));
  }

  private void note(Note.Kind kind, String text) {
    notes.add(new Note(kind, text));
  }
}
