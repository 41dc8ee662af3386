package lovelace;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.Model.Coefficient;
import lovelace.bare.Bare;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.PlaceMap;
import lovelace.data.TargetTransform;
import lovelace.drift.Terms;
import lovelace.drift.Trend;
import lovelace.laplace.Fitted;
import lovelace.laplace.Observations;
import lovelace.laplace.Window;
import lovelace.lattice.LatticePosterior;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.AreaDraws;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.LogNormalAreas;
import lovelace.posterior.internal.Points;
import lovelace.posterior.internal.RowPosterior;
import lovelace.revision.Alignment;
import lovelace.source.Source;
import lovelace.source.internal.SomeColumns;
import lovelace.statistics.GridStatistics;
import lovelace.survey.Events;

/// Computes a model's answers in the units of its table.
///
/// @param fitted present if the likelihood is not Gaussian
record Answers(Model model, Optional<Fitted> fitted, Bare bare) {

  Prediction noiseDeviation(double... points) {
    return fitted
        .flatMap(Fitted::noise)
        .orElseThrow(() -> new IllegalStateException("the noise of this model does not vary"))
        .predict(features(points));
  }

  Prediction predict(double[] points, Of of, double[] sizes) {
    Likelihood likelihood = model.likelihood();
    if (likelihood.isGaussian()) {
      if (!likelihood.has(of)) return model.posterior().predict(points).of(likelihood, of, sizes);
      Prediction latent = model.predict(points);
      if (of == Of.FUNCTION) return latent;
      if (sizes.length > 0) return latent.withNoise(model.noise(), sizes);
      if (likelihood.size() == Likelihood.Size.PRECISION)
        throw new IllegalArgumentException(
            "the noise of this model is known row by row; pass the inverse noise variance of each point");
      return latent.withNoise(model.noise());
    }
    Prediction latent = model.posterior().predict(points);
    return likelihood.isVarying() && of == Of.OBSERVATION
        ? latent.of(likelihood, of, sizes, noiseDeviation(points))
        : latent.of(likelihood, of, sizes);
  }

  Prediction average(
      double[] points, double[] weights, int[] starts, Of of, int draws, RandomGenerator random) {
    Likelihood likelihood = model.likelihood();
    if (of == Of.OBSERVATION)
      throw new IllegalArgumentException(
          "a mean over an area cannot be of observations; ask for the function, or for the rate or probability if the likelihood has one");
    if (!likelihood.has(of)) likelihood.law(of, 1); // fails and lists the possible ones
    Prediction latent = model.posterior().average(points, weights, starts);
    if (of == Of.FUNCTION && model.transform().equals(TargetTransform.NONE)) return latent;
    Areas areas = Areas.of(points, model.columns().size(), weights, starts);
    long seed = random.nextLong();
    double[][] drawn =
        AreaDraws.of(
            areas,
            draws,
            x -> sample(x, draws, of, new double[0], new SplittableRandom(seed)),
            this::jointBytes);
    Function<double[], double[]> values = x -> model.predict(x, of).means();
    boolean log = of == Of.RATE || model.transform().equals(TargetTransform.LOG);
    double[] variances = LogNormalAreas.variances(log, model.posterior(), areas, values);
    return latent.drawn(likelihood, of, AreaDraws.means(areas, values), variances, drawn);
  }

  double[] sample(double[] points, int count, RandomGenerator random) {
    double[] draws = model.posterior().sample(points, count, random);
    for (int i = 0; i < draws.length; i++) draws[i] = model.transform().invert(draws[i]);
    return draws;
  }

  double[] sample(double[] points, int count, Of of, double[] sizes, RandomGenerator random) {
    Likelihood likelihood = model.likelihood();
    if (of == Of.FUNCTION && likelihood.isGaussian()) return sample(points, count, random);
    double[] draws = model.posterior().sample(points, count, random);
    int t = Points.check(points, model.columns().size());
    double[] own = sizes.clone();
    if (own.length == 0) {
      own = new double[t];
      Arrays.fill(own, 1);
    }
    if (likelihood.isGaussian() || likelihood.isVarying()) {
      if (!likelihood.has(of)) likelihood.law(of, 1); // fails and lists the possible ones
      if (of == Of.FUNCTION) return draws;
      double[] logs =
          likelihood.isVarying()
              ? fitted.flatMap(Fitted::noise).orElseThrow().sample(features(points), count, random)
              : new double[0];
      for (int i = 0; i < draws.length; i++) {
        double variance = (logs.length > 0 ? Math.exp(2 * logs[i]) : model.noise()) / own[i % t];
        draws[i] = model.transform().invert(draws[i] + Math.sqrt(variance) * random.nextGaussian());
      }
      return draws;
    }
    Likelihood.Law[] laws = new Likelihood.Law[t];
    for (int p = 0; p < t; p++) laws[p] = likelihood.law(of, own[p]);
    for (int i = 0; i < draws.length; i++) draws[i] = laws[i % t].draw(draws[i], random);
    return draws;
  }

  Optional<Dataset> observed() {
    Observations kept = model.laplace().flatMap(Fitted::data).orElse(null);
    if (kept != null) {
      double[] x = kept.places();
      FeatureMap map = model.map().orElse(null);
      if (map instanceof PlaceMap plane) {
        x = new double[kept.places().length];
        plane.columns(kept.places(), kept.size(), x);
      } else if (map != null) return Optional.empty(); // only their features are known
      return Optional.of(
          Dataset.of(x, model.columns(), kept.values(), model.target()).withWeights(kept.sizes()));
    }
    if (model.laplace().isPresent()) return Optional.empty();
    return model
        .held()
        .map(RowPosterior::data)
        .map(
            rows -> {
              double[] y = Arrays.stream(rows.target()).map(model.transform()::invert).toArray();
              Dataset all = Dataset.of(rows.inputs(), model.columns(), y, model.target());
              return rows.weighted() ? all.withWeights(rows.weights()) : all;
            });
  }

  Optional<Dataset> averages() {
    boolean plain = fitted.isEmpty() && bare.map().isEmpty() && bare.trend().isEmpty();
    return plain
            && bare.lattice().map(LatticePosterior::statistics).orElse(null)
                instanceof GridStatistics sums
        ? Optional.of(averages(sums))
        : Optional.empty();
  }

  private Dataset averages(GridStatistics sums) {
    double[] all = sums.averages();
    int d = model.columns().size();
    int n = sums.occupiedCells();
    double[] x = new double[n * d];
    double[] z = new double[n];
    double[] counts = new double[n];
    for (int c = 0; c < n; c++) {
      System.arraycopy(all, c * (d + 1), x, c * d, d);
      z[c] = all[c * (d + 1) + d];
      counts[c] = sums.occupiedCount(c);
    }
    return Dataset.of(x, model.columns(), z, model.target()).withWeights(counts);
  }

  long jointBytes(double[] points) {
    RowPosterior rows = model.held().orElse(null);
    return rows == null
        ? model.lattice().orElseThrow().jointBytes(features(points))
        : rows.jointBytes(Points.check(points, model.columns().size()));
  }

  double[] features(double[] points) {
    double[] seen =
        bare.trend()
            .map(t -> t.terms().seen(points, Points.check(points, model.columns().size())))
            .orElse(points);
    return model.map().map(m -> Points.features(m, seen)).orElse(seen);
  }

  /// The coefficients of the mean that were integrated out, the intercept first.
  List<Coefficient> drift() {
    Trend trend = bare.trend().orElse(null);
    if (trend == null) return List.of();
    List<String> names = trend.terms().names(model.columns().stream().map(Column::name).toList());
    double[] values = trend.values();
    double[] errors = trend.standardErrors();
    return IntStream.range(0, values.length)
        .mapToObj(j -> new Coefficient(names.get(j), values[j], errors[j]))
        .toList();
  }

  /// The range of most rows of a column that only the mean reads.
  double[] driftRange(int column) {
    Terms terms =
        bare.trend()
            .map(Trend::terms)
            .orElseThrow(() -> new IllegalStateException("the mean has no drift"));
    for (int j = 1; j < terms.size(); j++)
      if (terms.place(j) == column)
        return new double[] {
          terms.centre(j) - 2 * terms.scale(j), terms.centre(j) + 2 * terms.scale(j)
        };
    throw new IllegalArgumentException("column " + column + " is not a drift column");
  }

  double[] points(double[] table) {
    int d = model.columns().size() + model.leftOut().size();
    int[] places =
        IntStream.range(0, d)
            .filter(j -> model.leftOut().stream().noneMatch(out -> out.place() == j))
            .toArray();
    return SomeColumns.chosen(table, Points.check(table, d), d, places);
  }

  Dataset counts(Source events, Outside outside) throws IOException {
    Window own =
        model
            .window()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "this model is not of an intensity; fit one with withIntensity(true)"));
    Alignment aligned = new Alignment(model.state(), events);
    return own.counts(
        Events.of(aligned.rows(), own, outside).counts(), model.columns(), model.target());
  }
}
