package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.ColumnValues;
import lovelace.io.Fingerprint;
import lovelace.laplace.Window;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.plan.Engine;

/// What a fit reads: the columns that it learns from, and what a first look at their rows tells.
///
/// @param fit of these columns
/// @param survey of the source
/// @param leftOut columns of the table that the source does not have
/// @param remarks what the model is to say of them
record FitData(Fit fit, Source source, Survey survey, List<LeftOut> leftOut, List<Note> remarks) {

  /// The columns that vary.
  static FitData of(Fit asked, Source source) throws IOException {
    requirePossible(asked);
    Survey survey = look(asked, source);
    survey.requireModerate();
    Fit fit = known(asked, survey);
    VaryingColumns varying = VaryingColumns.of(fit, source, survey);
    return varying.all()
        ? new FitData(fit, source, survey, List.of(), List.of())
        : keeping(varying, varying.fit(fit), source, survey);
  }

  /// All columns.
  static FitData all(Fit fit, Source source) throws IOException {
    return all(fit, source, List.of());
  }

  /// All columns, with what the model is to say of them.
  static FitData all(Fit fit, Source source, List<Note> remarks) throws IOException {
    Survey survey = look(fit, source);
    survey.requireModerate();
    return new FitData(known(fit, survey), source, survey, List.of(), remarks);
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
        ? new FitData(fit, source, survey, List.of(), List.of())
        : keeping(varying, fit, source, survey);
  }

  /// Refuses what a likelihood cannot be asked together with.
  private static void requirePossible(Fit fit) {
    Likelihood likelihood = fit.likelihood();
    boolean known = likelihood.size() == Likelihood.Size.PRECISION;
    if (likelihood.isGaussian() && !known) return;
    if (!fit.transform().equals(TargetTransform.NONE))
      throw new IllegalArgumentException(
          "transform %s changes the target, and likelihood %s needs the target unchanged; leave the transform out"
              .formatted(fit.transform(), likelihood));
    if (!known && fit.shape() == Fit.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "a projection is learned under Gaussian noise, and the likelihood is %s; use shape auto or additive"
              .formatted(likelihood));
  }

  /// Events of a window, counted cell by cell. The array is not copied: read only.
  static final class Events {
    private final double[] counts;
    private final long number;
    private final long fingerprint;

    private Events(double[] counts, long number, long fingerprint) {
      this.counts = counts;
      this.number = number;
      this.fingerprint = fingerprint;
    }

    /// The events of each cell.
    double[] counts() {
      return counts;
    }

    /// How many events there are.
    long number() {
      return number;
    }

    long fingerprint() {
      return fingerprint;
    }

    /// Takes an event: its place starts at `x[from]`, rows are numbered from 1.
    private interface Event {
      void accept(double[] x, int from, double count, long row);
    }

    /// Counts the events of a window; those outside are refused, or left out.
    static Events of(Source source, Window window, Outside outside) throws IOException {
      int d = window.dimensions();
      double[] counts = new double[window.size()];
      Fingerprint print = new Fingerprint();
      long[] number = {0};
      each(
          source,
          (x, from, count, row) -> {
            int column = window.outsideColumn(x, from);
            if (column >= 0 && outside == Outside.ERROR)
              throw outside(source, window, column, x[from + column], row);
            if (column >= 0) return;
            counts[window.cell(x, from)] += count;
            number[0] += (long) count;
            print.add(x, from, d, count, 1);
          });
      if (number[0] == 0)
        throw new IllegalArgumentException(
            "no event lies in the window, %s; widen its bounds, or check the rows"
                .formatted(window.text(source.columns())));
      return new Events(counts, number[0], print.value());
    }

    /// What is known of events before they are counted. Arrays are not copied: read only.
    static final class Range {
      private final double[] low;
      private final double[] high;
      private final double[] spacings;

      private Range(double[] low, double[] high, double[] spacings) {
        this.low = low;
        this.high = high;
        this.spacings = spacings;
      }

      /// Where they begin in each column.
      double[] low() {
        return low;
      }

      /// Where they end.
      double[] high() {
        return high;
      }

      /// The spacings of their values, 0 where these are not equally spaced.
      double[] spacings() {
        return spacings;
      }

      static Range of(Source source) throws IOException {
        int d = source.columns().size();
        List<ColumnValues> values = new ArrayList<>();
        for (int j = 0; j < d; j++) values.add(new ColumnValues());
        double[] low = new double[d];
        double[] high = new double[d];
        Arrays.fill(low, Double.POSITIVE_INFINITY);
        Arrays.fill(high, Double.NEGATIVE_INFINITY);
        each(
            source,
            (x, from, count, row) -> {
              for (int j = 0; j < d; j++) {
                double value = x[from + j];
                low[j] = Math.min(low[j], value);
                high[j] = Math.max(high[j], value);
                values.get(j).add(value, row);
              }
            });
        double[] spacings = new double[d];
        for (int j = 0; j < d; j++) {
          ColumnValues.Nodes nodes = low[j] < high[j] ? values.get(j).nodes() : null;
          spacings[j] = nodes == null ? 0 : nodes.step();
        }
        return new Range(low, high, spacings);
      }
    }

    private static void each(Source source, Event event) throws IOException {
      int d = source.columns().size();
      long[] before = {0};
      source.read(
          (rows, x, y, sizes) -> {
            Budget.check();
            if (sizes.isPresent())
              throw new IllegalArgumentException(
                  "events have no weights; leave them out, or repeat the rows of events that count more");
            for (int i = 0; i < rows; i++) {
              long row = before[0] + i + 1;
              if (!(y[i] >= 1 && y[i] == Math.rint(y[i]) && y[i] < 1e15))
                throw new IllegalArgumentException(
                    String.format(
                        Locale.ROOT,
                        "row %,d (data rows count from 1): target '%s' is %s, and the target of an event is how often it happened, 1 or more; leave the intensity out to learn the target",
                        row,
                        source.target().name(),
                        y[i]));
              event.accept(x, i * d, y[i], row);
            }
            before[0] += rows;
          });
    }

    private static IllegalArgumentException outside(
        Source source, Window window, int column, double value, long row) {
      Column of = source.columns().get(column);
      return new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d (data rows count from 1): '%s' is %s, outside the window from %s to %s; widen the bounds, or skip events outside them",
              row,
              of.name(),
              of.format(value),
              of.format(window.low(column)),
              of.format(window.high(column))));
    }
  }

  private static Survey look(Fit fit, Source source) throws IOException {
    Survey survey = Survey.of(source, fit);
    if (fit.training() && survey.certainlyAtMost(1))
      throw new IllegalArgumentException(
          "there is 1 row, and parameters cannot be learned from one; add rows, or give all parameters and turn training off");
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
    return new FitData(
        fit, part, survey.keeping(varying.places(), part), varying.leftOut(), List.of());
  }

  /// The same for a fit of other options, of the same columns.
  FitData with(Fit other) {
    return new FitData(other, source, survey, leftOut, remarks);
  }

  /// The same for a model of another shape.
  FitData shaped(Fit.Shape shape) {
    return new FitData(fit.withShape(shape), source, survey, leftOut, remarks);
  }
}
