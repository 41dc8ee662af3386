package lovelace.revision;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lovelace.bare.Bare;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import lovelace.data.TargetTransform;
import lovelace.data.TimeScale;
import lovelace.drift.Terms;
import lovelace.drift.Trend;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.laplace.Fitted;
import lovelace.way.Pair;

/// Checks whether models belong together, and finds the shift between their numbers.
final class Likeness {

  private Likeness() {}

  /// Fails unless two models have the same columns and are of the same kind.
  static void require(Pair names, ModelState first, ModelState other) {
    requireSameTable(names, first, other);
    requireSameProcess(names, first, other);
    for (int j = 0; j < first.inputs().size(); j++) {
      List<String> mine = first.inputs().get(j).values();
      List<String> theirs = other.inputs().get(j).values();
      if (!mine.equals(theirs))
        throw names.unlike("words of '" + first.inputs().get(j).name() + "'", mine, theirs);
    }
    if (!first.place().equals(other.place()))
      throw names.unlike(
          "coordinate systems",
          first.place().map(Place::toString).orElse("none"),
          other.place().map(Place::toString).orElse("none"));
    requireSameMap(names, first, other);
  }

  private static void requireSameTable(Pair names, ModelState first, ModelState other) {
    Column mine = first.target();
    Column theirs = other.target();
    if (!mine.name().equals(theirs.name()))
      throw names.unlike("targets", mine.name(), theirs.name());
    if (!mine.values().equals(theirs.values()))
      throw names.unlike("classes of '" + mine.name() + "'", mine.values(), theirs.values());
    List<String> inputs = first.inputs().stream().map(Column::name).toList();
    List<String> others = other.inputs().stream().map(Column::name).toList();
    if (!inputs.equals(others))
      throw names.unlike("inputs", String.join(", ", inputs), String.join(", ", others));
    if (!first.transform().equals(other.transform()))
      throw unlikeTransforms(names, first.transform(), other.transform());
  }

  private static void requireSameProcess(Pair names, ModelState first, ModelState other) {
    Bare mine = first.bare();
    Bare theirs = other.bare();
    Hyperparameters h = first.hyperparameters();
    Hyperparameters g = other.hyperparameters();
    if (!h.likelihood().toString().equals(g.likelihood().toString()))
      throw names.unlike("likelihoods", h.likelihood(), g.likelihood());
    if (!form(h).equals(form(g))) throw names.unlike("kernels", h.kernel(), g.kernel());
    if (!h.mean().toString().equals(g.mean().toString()))
      throw names.unlike("means", h.mean(), g.mean());
    if (!isLike(mine.trend().map(Trend::terms), theirs.trend().map(Trend::terms)))
      throw names.unlike("drifts", drift(first, mine), drift(other, theirs));
    if (mine.rows().isPresent() != theirs.rows().isPresent())
      throw new IllegalArgumentException(
          "'%s' and '%s' are of different kinds, %s and %s; fit both with the same engine, grid and bounds to merge them"
              .formatted(names.first(), names.other(), kind(mine), kind(theirs)));
    if (window(first) != window(other))
      throw new IllegalArgumentException(
          "one of '%s' and '%s' is of the intensity of events, the other of counts; fit both the same way to merge them"
              .formatted(names.first(), names.other()));
  }

  private static boolean window(ModelState model) {
    return model.fitted().flatMap(Fitted::window).isPresent();
  }

  /// Fails if the maps of two models differ and cannot be reconciled. Rows that are held can be
  /// mapped again by the map of the first model; places that are only known by their features
  /// cannot.
  private static void requireSameMap(Pair names, ModelState first, ModelState other) {
    Bare bare = first.bare();
    FeatureMap mine = bare.map().orElse(null);
    FeatureMap theirs = other.bare().map().orElse(null);
    boolean equal = Objects.equals(mine, theirs);
    boolean places = mine instanceof PlaceMap && theirs instanceof PlaceMap;
    boolean remapped = places && bare.rows().isPresent() && first.fitted().isEmpty();
    boolean same = equal || remapped;
    if (!same && places)
      throw new IllegalArgumentException(
          "'%s' and '%s' use different planes, %s and %s; add rows with update instead"
              .formatted(names.first(), names.other(), mine, theirs));
    if (!same && (mine != null || theirs != null))
      throw new IllegalArgumentException(
          "'%s' and '%s' have each learned their own features; add rows with update instead"
              .formatted(names.first(), names.other()));
  }

  private static boolean isLike(Optional<Terms> mine, Optional<Terms> theirs) {
    if (mine.isEmpty() || theirs.isEmpty()) return mine.isEmpty() && theirs.isEmpty();
    return mine.get().isLike(theirs.get());
  }

  private static String drift(ModelState model, Bare bare) {
    List<String> columns = model.inputs().stream().map(Column::name).toList();
    return bare.trend().map(t -> t.terms().names(columns).toString()).orElse("none");
  }

  private static String kind(Bare bare) {
    return bare.rows().map(rows -> "of its rows with engine " + rows.engine()).orElse("on a grid");
  }

  /// Fails unless parameters are complete and belong to the kernel and likelihood of a model.
  static void requireSameForm(ModelState model, Hyperparameters h) {
    Hyperparameters own = model.hyperparameters();
    if (!own.likelihood().toString().equals(h.likelihood().toString()))
      throw new IllegalArgumentException(
          "the model's likelihood is %s, but the parameters are for %s; fit the rows again"
              .formatted(own.likelihood(), h.likelihood()));
    if (!form(own).equals(form(h))) // a kernel of another form needs a fit
    throw new IllegalArgumentException(
          "the model's kernel is %s, but the parameters are for %s; fit the rows again"
              .formatted(own.kernel(), h.kernel()));
    if (!h.unset().isEmpty())
      throw new IllegalArgumentException(
          "every parameter needs a value; not set: " + String.join(", ", h.unset()));
  }

  /// The kernel without its values and without its fixed marks, together with that of noise that
  /// varies.
  private static String form(Hyperparameters h) {
    Hyperparameters free = h;
    for (Parameter p : h.kernel().parameters()) free = free.free(p.path());
    return form(free.kernel()) + h.noiseKernel().map(kernel -> ", " + form(kernel)).orElse("");
  }

  private static String form(Kernel kernel) {
    double[] ones = new double[kernel.parameterCount()];
    Arrays.fill(ones, 1);
    return kernel.with(ones).toString();
  }

  /// The error for transforms that differ. Ranks of two tables have the same name but are different
  /// functions.
  private static IllegalArgumentException unlikeTransforms(
      Pair names, TargetTransform mine, TargetTransform theirs) {
    if (!mine.toString().equals(theirs.toString())) return names.unlike("transforms", mine, theirs);
    return new IllegalArgumentException(
        "'%1$s' and '%2$s' have ranks of different tables, so equal targets have different scores; fit '%2$s' again with the transform of '%1$s', or add its rows to '%1$s' with update"
            .formatted(names.first(), names.other()));
  }

  /// The numbers that are added to the other's columns to match the first one's. Times may be
  /// counted from another day.
  static double[] shifts(Pair names, ModelState first, ModelState other) {
    double[] by = new double[first.inputs().size()];
    for (int j = 0; j < by.length; j++)
      by[j] = shift(names, first.inputs().get(j), other.inputs().get(j));
    return by;
  }

  private static double shift(Pair names, Column first, Column other) {
    TimeScale mine = first.time().orElse(null);
    TimeScale theirs = other.time().orElse(null);
    if (mine == null && theirs == null) return 0;
    if (mine == null || theirs == null || mine.unit() != theirs.unit())
      throw names.unlike("units of '" + first.name() + "'", unit(first), unit(other));
    if (!mine.offset().equals(theirs.offset()))
      throw new IllegalArgumentException(
          "'%s' and '%s' count '%s' in different time zones; write one zone in both tables"
              .formatted(names.first(), names.other(), first.name()));
    return mine.unit() == TimeScale.Unit.YEARS ? 0 : mine.number(theirs.origin());
  }

  private static String unit(Column column) {
    return column.time().isEmpty() ? "numbers" : column.unit();
  }
}
