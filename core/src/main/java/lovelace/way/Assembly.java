package lovelace.way;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lovelace.bare.Bare;
import lovelace.data.Column.LeftOut;
import lovelace.data.Place;
import lovelace.io.ModelState;
import lovelace.laplace.Window;
import lovelace.learning.Learned;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Maker;

/// Makes the state of a model. No other class does.
///
/// @param leftOut columns of the table that the model does not read
/// @param place which inputs are coordinates
/// @param maker the maker of the model
public record Assembly(Frame frame, List<LeftOut> leftOut, Optional<Place> place, Maker maker) {

  /// The model of the data that were kept.
  ///
  /// @param notes its remarks
  public ModelState model(Kept<?> kept, Conditioned found, List<Note> notes) {
    Learned learned = found.learned();
    return model(kept, found, learned.standardErrors(), learned.trace(), notes);
  }

  /// The same for parameters that were learned before.
  ///
  /// @param errors the standard errors of the parameters
  /// @param trace how they were learned
  public ModelState model(
      Kept<?> kept,
      Conditioned found,
      List<Double> errors,
      List<Provenance.Step> trace,
      List<Note> notes) {
    List<Note> all = new ArrayList<>(notes);
    all.removeIf(note -> note.kind() == Note.Kind.DIGITS);
    Closeness.digits(found.posterior(), frame.likelihood().isGaussian()).ifPresent(all::addFirst);
    return new ModelState(
        frame.columns(),
        leftOut,
        frame.target(),
        frame.transform(),
        kept.logJacobian(),
        found.logLikelihood(),
        found.posterior(),
        found.plan(),
        new Provenance(
            maker.version(),
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            kept.fingerprint(),
            maker.command(),
            errors,
            trace,
            all),
        found.fitted(),
        place);
  }

  /// Turns the model of counts into one of the counted events.
  public static ModelState ofEvents(ModelState counts, Window window, long fingerprint) {
    return new ModelState(
        counts.inputs(),
        counts.leftOut(),
        counts.target(),
        counts.transform(),
        counts.logJacobian(),
        counts.logLikelihood(),
        counts.posterior(),
        counts.plan(),
        counts.provenance().of(fingerprint),
        counts.fitted().map(fitted -> fitted.of(Optional.of(window))),
        counts.place());
  }

  /// A model as a function of its features, without the map to them.
  public static ModelState inFeatures(ModelState model, Bare bare) {
    return new ModelState(
        bare.map().orElseThrow().features(model.inputs()),
        List.of(),
        model.target(),
        model.transform(),
        model.logJacobian(),
        model.logLikelihood(),
        bare.posterior(),
        model.plan(),
        model.provenance(),
        model.fitted(),
        Optional.empty());
  }
}
