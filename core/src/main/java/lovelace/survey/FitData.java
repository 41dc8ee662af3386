package lovelace.survey;

import java.io.IOException;
import java.util.List;
import lovelace.data.Column.LeftOut;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.options.Options;
import lovelace.options.Options.Shape;
import lovelace.source.Source;

/// The data that a fit reads: the columns that it learns from, and the facts from the first reading
/// of their rows.
///
/// @param fit of these columns
/// @param survey of the source
/// @param leftOut columns of the table that the source does not have
/// @param remarks the model's remarks on them
public record FitData(
    Options fit, Source source, Survey survey, List<LeftOut> leftOut, List<Note> remarks) {

  /// The data of the columns that vary.
  public static FitData of(Options asked, Source source) throws IOException {
    requirePossible(asked);
    Survey survey = look(asked, source);
    survey.requireModerate();
    Options fit = known(asked, survey);
    VaryingColumns varying = VaryingColumns.of(fit, source, survey);
    return varying.all()
        ? new FitData(fit, source, survey, List.of(), List.of())
        : keeping(varying, varying.fit(fit), source, survey);
  }

  /// The data of all columns.
  public static FitData all(Options fit, Source source) throws IOException {
    return all(fit, source, List.of());
  }

  /// The data of all columns, with remarks for the model.
  public static FitData all(Options fit, Source source, List<Note> remarks) throws IOException {
    Survey survey = look(fit, source);
    survey.requireModerate();
    return new FitData(known(fit, survey), source, survey, List.of(), remarks);
  }

  /// The data of all columns, or of those that vary if a map reads that number of columns.
  public static FitData of(Options asked, Source source, int inputs) throws IOException {
    requirePossible(asked);
    Survey survey = look(asked, source);
    Options fit = known(asked, survey);
    VaryingColumns varying = VaryingColumns.of(fit, source, survey);
    return varying.all() || inputs != varying.kept().size()
        ? new FitData(fit, source, survey, List.of(), List.of())
        : keeping(varying, fit, source, survey);
  }

  /// Refuses options that cannot be combined with a likelihood.
  private static void requirePossible(Options fit) {
    Likelihood likelihood = fit.likelihood();
    boolean known = likelihood.size() == Likelihood.Size.PRECISION;
    if (likelihood.isGaussian() && !known) return;
    if (!fit.transform().equals(TargetTransform.NONE))
      throw new IllegalArgumentException(
          "transform %s changes the target, and likelihood %s needs the target unchanged; leave the transform out"
              .formatted(fit.transform(), likelihood));
    if (!known && fit.shape() == Shape.PROJECTION)
      throw new IllegalArgumentException(
          "a projection is learned under Gaussian noise, and the likelihood is %s; use shape auto or additive"
              .formatted(likelihood));
  }

  private static Survey look(Options fit, Source source) throws IOException {
    Survey survey = Survey.of(source, fit);
    if (fit.training() && survey.certainlyAtMost(1))
      throw new IllegalArgumentException(
          "there is 1 row, and parameters cannot be learned from one; add rows, or give all parameters and turn training off");
    if (fit.grid().isOnData() || survey.mayBeOwn(fit)) survey.readValues();
    return survey;
  }

  /// The fit with the transform filled in: if ranks are asked for, those of the targets in the
  /// survey. Known noise refers to the untransformed target.
  private static Options known(Options fit, Survey survey) {
    if (fit.likelihood().size() == Likelihood.Size.PRECISION)
      return fit.withTransform(TargetTransform.NONE);
    return fit.transform().isOpen() ? fit.withTransform(survey.transform()) : fit;
  }

  private static FitData keeping(
      VaryingColumns varying, Options fit, Source source, Survey survey) {
    Source part = source.keeping(varying.places());
    return new FitData(
        fit, part, survey.keeping(varying.places(), part), varying.leftOut(), List.of());
  }

  /// The same for other options of a fit of the same columns.
  public FitData with(Options other) {
    return new FitData(other, source, survey, leftOut, remarks);
  }

  /// The same for a model of another shape.
  public FitData shaped(Shape shape) {
    return new FitData(fit.withShape(shape), source, survey, leftOut, remarks);
  }
}
