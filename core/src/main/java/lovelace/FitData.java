package lovelace;

import java.io.IOException;
import java.util.List;
import lovelace.data.Column.LeftOut;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood;
import lovelace.plan.Engine;

/// What a fit reads: the columns that it learns from, and what a first look at their rows tells.
///
/// @param fit of these columns
/// @param survey of the source
/// @param leftOut columns of the table that the source does not have
record FitData(Fit fit, Source source, Survey survey, List<LeftOut> leftOut) {

  /// The columns that vary.
  static FitData of(Fit asked, Source source) throws IOException {
    requirePossible(asked);
    Survey survey = look(asked, source);
    Fit fit = known(asked, survey);
    VaryingColumns varying = VaryingColumns.of(fit, source, survey);
    return varying.all()
        ? new FitData(fit, source, survey, List.of())
        : keeping(varying, varying.fit(fit), source, survey);
  }

  /// All columns.
  static FitData all(Fit fit, Source source) throws IOException {
    Survey survey = look(fit, source);
    return new FitData(known(fit, survey), source, survey, List.of());
  }

  /// All columns, or those that vary where they are as many as a map reads.
  static FitData of(Fit asked, Source source, int inputs) throws IOException {
    requirePossible(asked);
    if (!asked.likelihood().isGaussian()
        && (asked.engine() == Engine.EXACT || asked.engine() == Engine.NEIGHBOURS))
      throw new IllegalArgumentException(
          "the %s engine over features of columns takes Gaussian noise only, and the likelihood is %s; use engine auto"
              .formatted(asked.engine(), asked.likelihood()));
    Survey survey = look(asked, source);
    Fit fit = known(asked, survey);
    VaryingColumns varying = VaryingColumns.of(fit, source, survey);
    return varying.all() || inputs != varying.kept().size()
        ? new FitData(fit, source, survey, List.of())
        : keeping(varying, fit, source, survey);
  }

  /// Refuses what a likelihood cannot be asked together with.
  private static void requirePossible(Fit fit) {
    Likelihood likelihood = fit.likelihood();
    boolean known = likelihood.size() == Likelihood.Size.PRECISION;
    if (likelihood.isGaussian() && !known) return;
    if (!fit.transform().equals(TargetTransform.NONE))
      throw new IllegalArgumentException(
          "transform %s changes the target, and likelihood %s is of the target as it stands in the table; leave the transform out"
              .formatted(fit.transform(), likelihood));
    if (!known && fit.shape() == Fit.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "a projection is learned under Gaussian noise, and the likelihood is %s; use shape auto or additive"
              .formatted(likelihood));
  }

  private static Survey look(Fit fit, Source source) throws IOException {
    Survey survey = Survey.of(source, fit);
    if (fit.grid().isOnData() || LatticeChoice.mayBeOwn(fit, survey)) survey.readValues();
    return survey;
  }

  /// The fit with the ranks of the targets that the survey has seen, where ranks are asked for.
  /// Noise that is known is known of the target as it stands.
  private static Fit known(Fit fit, Survey survey) {
    if (fit.likelihood().size() == Likelihood.Size.PRECISION)
      return fit.withTransform(TargetTransform.NONE);
    return fit.transform().isOpen() ? fit.withTransform(survey.transform()) : fit;
  }

  private static FitData keeping(VaryingColumns varying, Fit fit, Source source, Survey survey) {
    Source part = source.keeping(varying.places());
    return new FitData(fit, part, survey.keeping(varying.places(), part), varying.leftOut());
  }

  /// The same for a fit of other options, of the same columns.
  FitData with(Fit other) {
    return new FitData(other, source, survey, leftOut);
  }

  /// The same for a model of another shape.
  FitData shaped(Fit.Shape shape) {
    return new FitData(fit.withShape(shape), source, survey, leftOut);
  }
}
