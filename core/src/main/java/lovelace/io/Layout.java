package lovelace.io;

import java.util.ArrayList;
import java.util.List;
import lovelace.bare.Bare;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.data.TargetTransform;
import lovelace.data.Trust;
import lovelace.drift.Terms;
import lovelace.io.Sections.Part;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.KernelFunction;
import lovelace.posterior.Posterior;

/// Models as sections, both ways; the sections are drawn in [ModelFile].
final class Layout {

  private Layout() {}

  static List<Part> sections(ModelState model, boolean covariance) {
    Text about = new Text();
    List<Part> parts = new ArrayList<>();
    OriginLayout.put(about, model.provenance());
    ColumnLayout.put(about, model);
    OriginLayout.putPlan(about, model.plan());
    about
        .put("transform", model.transform().text())
        .numbers("jacobian", model.logJacobian())
        .numbers("likelihood", model.logLikelihood());
    model.place().ifPresent(place -> ColumnLayout.putPlace(about, place));
    ParameterLayout.put(about, model.hyperparameters());
    boolean working = model.fitted().isPresent();
    PosteriorLayout.put(about, parts, model.bare(), covariance, working);
    model.fitted().ifPresent(fitted -> FittedLayout.put(about, parts, fitted, covariance));
    OriginLayout.putTrace(parts, model.provenance().trace());
    parts.addFirst(Part.of("about", about.bytes()));
    return parts;
  }

  /// The oldest format that tells all of a model: a program that knows no other must not take its
  /// noise for noise of one variance, nor the process beside a drift for the whole model.
  static int version(ModelState model) {
    if (model.bare().trend().isPresent()) return Sections.VERSION;
    return ParameterLayout.isPlain(model.hyperparameters().likelihood())
        ? Sections.FIRST
        : Sections.OBSERVED;
  }

  static ModelState read(Sections sections, Trust trust, KernelFunction... own) {
    Text about = Text.of(sections.bytes("about"));
    List<Column> inputs = ColumnLayout.inputs(about);
    Column target = ColumnLayout.target(about);
    TargetTransform transform = TargetTransform.parse(about.text("transform"));
    Terms terms = DriftLayout.terms(about, inputs.size());
    List<Column> read = terms == null ? inputs : inputs.subList(0, terms.process());
    FeatureMap map = PosteriorLayout.map(sections, about, read.size(), trust);
    int columns = map == null ? read.size() : map.outputs();
    Hyperparameters parameters = ParameterLayout.read(about, columns, own);
    Posterior posterior =
        terms == null
            ? PosteriorLayout.read(sections, about, inputs, target, map, parameters)
            : PosteriorLayout.readDrifted(sections, about, inputs, target, terms, map, parameters);
    ModelState state =
        new ModelState(
                inputs,
                ColumnLayout.leftOut(about),
                target,
                transform,
                about.number("jacobian"),
                about.number("likelihood"),
                posterior,
                OriginLayout.plan(about, Bare.of(posterior)),
                OriginLayout.provenance(sections, about, parameters.size()))
            .with(ColumnLayout.place(about, inputs));
    if (parameters.likelihood().isGaussian()) return state;
    List<Column> seen = map == null ? inputs : map.features(inputs);
    return state.with(FittedLayout.read(sections, about, parameters, seen, target));
  }
}
