package lovelace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.data.LinearMap;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.data.TimeScale;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;

/// Small models of every way, with every wrapper around it.
final class SmallCases {

  private static final long SEED = 11;
  private static final Likelihood GAUSSIAN = Likelihood.gaussian();
  private static final Place WGS = Place.lonLat("lon", "lat");

  private static final Column ROCK = Column.of("rock", List.of("clay", "sand", "silt"));

  private final SmallWay way;
  private final List<SmallCase> cases = new ArrayList<>();

  private SmallCases(SmallWay way) {
    this.way = way;
  }

  static List<SmallCase> all() {
    List<SmallCase> all = new ArrayList<>();
    for (SmallWay way : SmallWay.values()) all.addAll(of(way));
    return all;
  }

  /// The cases of ways that have much in common with others.
  private static final Pattern FEW =
      Pattern.compile(
          "[^/]*/(plain|weights|log|nodes|dates|drift|drift-two|poisson|poisson-nodes|geographic"
              + "|geographic-drift|turned|map|additive|wide.*|words|intensity)");

  /// The cases of a way that takes long.
  private static final Pattern LARGE = Pattern.compile("[^/]*/(plain|drift|additive.*)");

  static List<SmallCase> of(SmallWay way) {
    List<SmallCase> cases = made(way);
    if (way == SmallWay.KRYLOV) cases.removeIf(one -> !LARGE.matcher(one.name()).matches());
    if (way == SmallWay.DENSE || way == SmallWay.AUTO || way == SmallWay.SPECTRAL_LINE)
      cases.removeIf(one -> !FEW.matcher(one.name()).matches());
    return cases;
  }

  private static List<SmallCase> made(SmallWay way) {
    SmallCases cases = new SmallCases(way);
    cases.gaussian();
    cases.likelihoods();
    cases.drifts();
    cases.events();
    if (way == SmallWay.SPECTRAL_LINE) return cases.cases; // the others are over a plane
    cases.places();
    cases.features();
    cases.tables();
    return cases.cases;
  }

  /// Sets the kernel's lengthscale, times a factor, and all other parameters.
  private Fit given(Fit free, double factor) {
    Fit fit =
        free.withTraining(false)
            .withKernel(
                String.format(
                    Locale.ROOT, "1.3*%s(lengthscale=%s)", way.kernel, way.lengthscale * factor));
    return rest(fit);
  }

  /// Sets all parameters but those of the kernel.
  private static Fit rest(Fit free) {
    Fit fit = free;
    for (String name : fit.likelihood().parameterNames())
      fit = fit.set(name, name.equals("df") ? 4 : name.equals("shape") ? 3 : 0.07);
    if (fit.likelihood().isVarying())
      fit = fit.set("noise.lengthscale", 0.6).set("noise.outputscale", 0.5).set("noise.mean", -1.5);
    return fit.drift().isPresent() || fit.mean().equals("zero") ? fit : fit.set("mean", 0.2);
  }

  private void add(String name, Fit free, Dataset rows) {
    add(name, free, 1, rows);
  }

  private void add(String name, Fit free, double factor, Dataset rows) {
    cases.add(SmallCase.of(way + "/" + name, given(free, factor), free, rows));
  }

  private Dataset rows(Likelihood likelihood, int dimensions) {
    int n = dimensions > 3 ? SmallWay.EXACT.rows() : way.rows();
    double[] x = SmallTables.scattered(n, dimensions, SEED);
    return SmallTables.rows(likelihood, x, SmallTables.columns(dimensions), SEED + 1);
  }

  private Dataset rows() {
    return rows(GAUSSIAN, way.dimensions);
  }

  private Dataset onNodes(Likelihood likelihood) {
    double[] x = SmallTables.nodes(way.rows(), way.dimensions, SEED);
    return SmallTables.rows(likelihood, x, SmallTables.columns(way.dimensions), SEED + 1);
  }

  private void gaussian() {
    Fit free = way.free();
    Dataset rows = rows();
    add("plain", free, rows);
    add("weights", free, SmallTables.weighted(rows, 3));
    add("mean-zero", free.withMean("zero"), rows);
    Fit linear = free.withMean("linear");
    double[] slopes = new double[PriorMean.named("linear", way.dimensions).size() - 1];
    Arrays.fill(slopes, 0.3);
    cases.add(
        SmallCase.of(way + "/mean-linear", given(linear, 1).set("slope", slopes), linear, rows));
    add("log", free.withTransform(TargetTransform.LOG), SmallTables.positive(rows));
    add("ranks", free.withTransform(TargetTransform.RANKS), rows);
    add(
        "nodes",
        way.lattice ? free.withGrid(SmallWay.nodes(way.dimensions)) : free,
        onNodes(GAUSSIAN));
    add("constant-column", free, SmallTables.with(rows, Column.of("same"), 0, 7));
    TimeScale days = TimeScale.of("day", List.of("2024-01-01", "2024-03-20"));
    List<Column> columns = new ArrayList<>(rows.columns());
    columns.set(0, Column.of("day", days));
    Dataset dated = SmallTables.scaled(rows, 0, 0, 60).named(columns, rows.targetColumn());
    Fit long60 = way.lattice ? free.withGrid(free.grid().bounded(0, 0, 60)) : free;
    Fit dates = given(long60, 1);
    if (way.dimensions > 1) dates = dates.set("lengthscale", 30, 0.5);
    else dates = dates.set("lengthscale", 20);
    cases.add(SmallCase.of(way + "/dates", dates, long60, dated));
    kernels(free, rows);
  }

  private void kernels(Fit free, Dataset rows) {
    kernel("sum", "0.9*matern32(lengthscale=0.5) + 0.4*matern12(lengthscale=0.8)", free, rows);
    if (way.engine != Engine.SPECTRAL) // it takes long
    kernel("product", "1.1*rbf(lengthscale=0.6)*periodic(lengthscale=0.9, period=0.7)", free, rows);
    kernel("linear", "0.8*rq(lengthscale=0.5, alpha=1.2) + 0.3*linear(variance=0.5)", free, rows);
  }

  private void kernel(String name, String kernel, Fit free, Dataset rows) {
    Fit other = free.withKernel(kernel);
    Fit given = rest(other.withTraining(false));
    cases.add(SmallCase.of(way + "/kernel-" + name, given, other, rows));
  }

  private void likelihoods() {
    List<String> names = new ArrayList<>(List.of("gaussian(noise=known)", "poisson", "student-t"));
    if (way != SmallWay.SPECTRAL_LINE) names.add("gaussian(noise=varying)");
    if (way == SmallWay.SPECTRAL || way == SmallWay.CHAIN || way == SmallWay.NEIGHBOURS)
      names.addAll(
          List.of("negative-binomial", "bernoulli", "bernoulli(link=probit)", "binomial", "gamma"));
    else names.add("bernoulli");
    for (String name : names) {
      Likelihood likelihood = Likelihood.parse(name);
      Fit free = way.free().withLikelihood(likelihood);
      add(name, free, rows(likelihood, way.dimensions));
      boolean one = name.equals("gamma") || name.contains("=known") || name.startsWith("b");
      if (one) continue;
      Fit nodes = way.lattice ? free.withGrid(SmallWay.nodes(way.dimensions)) : free;
      add(name + "-nodes", nodes, onNodes(likelihood));
    }
  }

  private void drifts() {
    Dataset rows = SmallTables.with(rows(), Column.of("wet"), 0.7, 0, 1, 1, 0, 1);
    Dataset two =
        SmallTables.with(rows, Column.of("slope"), -0.4, 0.3, 0.1, 0.9, 0.5, 0.2, 0.8, 0.4);
    Fit free = way.free();
    add("drift", free.withDrift(List.of("wet")), rows);
    add("drift-two", free.withDrift(List.of("wet", "slope"), List.of("a")), two);
    add("drift-none", free.withDrift(List.of()), rows());
    add("drift-linear", free.withDrift(List.of("wet")).withMean("linear"), rows);
    add("drift-weights", free.withDrift(List.of("wet")), SmallTables.weighted(rows, 4));
    add(
        "drift-log",
        free.withDrift(List.of("wet")).withTransform(TargetTransform.LOG),
        SmallTables.positive(rows));
    Dataset known =
        SmallTables.with(
            rows(Likelihood.gaussianKnown(), way.dimensions), Column.of("wet"), 0.7, 0, 1, 1, 0, 1);
    add(
        "drift-known",
        free.withDrift(List.of("wet")).withLikelihood("gaussian(noise=known)"),
        known);
  }

  /// Rows whose first two columns are degrees.
  private Dataset onEarth(Dataset rows) {
    Dataset degrees = SmallTables.scaled(SmallTables.scaled(rows, 0, 8.5, 1), 1, 47, 1);
    List<Column> columns = new ArrayList<>(rows.columns());
    columns.set(0, Column.of("lon"));
    columns.set(1, Column.of("lat"));
    return degrees.named(columns, rows.targetColumn());
  }

  private Fit onEarth(Fit free) {
    return (way.lattice ? free.withGrid(GridChoice.DEFAULT.withPoints(way.points())) : free)
        .withPlace(WGS);
  }

  private void places() {
    Fit free = way.free();
    Dataset rows = rows(GAUSSIAN, 2);
    Dataset earth = onEarth(rows);
    add("geographic", onEarth(free), 90, earth);
    add("projected", free.withPlace(Place.projected("a", "b", "EPSG:32632", 1000)), rows);
    Fit grid = way.lattice ? free.withGrid(GridChoice.DEFAULT.withPoints(way.points())) : free;
    Fit turned = grid.withAnisotropy(30);
    cases.add(
        SmallCase.of(way + "/turned", given(turned, 1).set("lengthscale", 0.7, 0.4), turned, rows));
    Fit both = onEarth(free).withAnisotropy(-20);
    add("geographic-turned", both, 90, earth);
    add(
        "geographic-poisson",
        onEarth(free).withLikelihood("poisson"),
        90,
        onEarth(rows(Likelihood.poisson(), 2)));
    Dataset wet = SmallTables.with(earth, Column.of("wet"), 0.7, 0, 1, 1, 0, 1);
    add("geographic-drift", onEarth(free).withDrift(List.of("wet")), 90, wet);
    add(
        "turned-drift",
        turned.withDrift(List.of("wet")),
        SmallTables.with(rows, Column.of("wet"), 0.7, 0, 1, 1, 0, 1));
  }

  private void features() {
    Fit grid = featured(1);
    Dataset rows = rows(GAUSSIAN, 3);
    double[] centre = {0.5, 0.4, 0.5};
    double[] weights = {0.9, 0.3, 0.1, -0.2, 0.8, 0.5};
    FeatureMap map = LinearMap.of(Arrays.copyOf(weights, 3 * way.dimensions), centre);
    mapped("map", grid, rows, map);
    mapped("map-log", grid.withTransform(TargetTransform.LOG), SmallTables.positive(rows), map);
    mapped("map-poisson", grid.withLikelihood("poisson"), rows(Likelihood.poisson(), 3), map);
    if (way.lattice && way != SmallWay.SPARSE) return;
    Dataset few = rows();
    List<Change> changes = new ArrayList<>();
    for (int j = 0; j < way.dimensions; j++) changes.add(j == 0 ? Change.RANKS : Change.LOG);
    mapped("map-columns", featured(4), few, FeatureMap.columns(few, changes));
  }

  /// A fit over features that lie between −high and high.
  private Fit featured(double high) {
    if (!(way.lattice || way == SmallWay.AUTO)) return way.free();
    GridChoice grid = GridChoice.DEFAULT.withPoints(way.points());
    for (int j = 0; j < way.dimensions; j++) grid = grid.bounded(j, -high, high);
    return way.free().withGrid(grid);
  }

  private void mapped(String name, Fit free, Dataset rows, FeatureMap map) {
    cases.add(new SmallCase(way + "/" + name, given(free, 1), free, rows, Optional.of(map)));
  }

  private void tables() {
    Fit free = way.free().withGrid(GridChoice.DEFAULT);
    Dataset four = rows(GAUSSIAN, 4);
    if (way == SmallWay.SPECTRAL || !way.lattice) {
      Fit projection = free.withShape(Options.Shape.PROJECTION);
      String learned = "/projection-learned";
      if (way != SmallWay.CHAIN && way != SmallWay.SITES && way != SmallWay.AUTO)
        cases.add(SmallCase.of(way + learned, projection, projection, four));
      add("wide", free, 3, rows(GAUSSIAN, 5));
      add("wide-poisson", free.withLikelihood("poisson"), 3, rows(Likelihood.poisson(), 5));
      add("wide-words", free, 3, SmallTables.with(four, ROCK, 0.8, 0, 1, 2, 1, 0));
    }
    add("words", way.free(), SmallTables.with(rows(), ROCK, 0.8, 0, 1, 2, 1, 0));
    Fit sum =
        free.withShape(Options.Shape.ADDITIVE)
            .withKernel("additive(" + way.kernel + ")")
            .withGrid(SmallWay.lines(4));
    String kernel = "additive(0.8*" + way.kernel + "(lengthscale=" + way.lengthscale + "))";
    Fit given = rest(sum.withTraining(false).withKernel(kernel));
    cases.add(SmallCase.of(way + "/additive", given, sum, four));
    Fit counts = sum.withLikelihood("poisson");
    Fit held = rest(counts.withTraining(false).withKernel(kernel));
    cases.add(SmallCase.of(way + "/additive-poisson", held, counts, rows(Likelihood.poisson(), 4)));
    if (way != SmallWay.KRYLOV && way != SmallWay.SPECTRAL) return;
    Dataset weighted = SmallTables.weighted(four, 3);
    cases.add(SmallCase.of(way + "/additive-weights", given, sum, weighted));
    Fit log = sum.withTransform(TargetTransform.LOG);
    Fit logs = given.withTransform(TargetTransform.LOG);
    cases.add(SmallCase.of(way + "/additive-log", logs, log, SmallTables.positive(four)));
  }

  private void events() {
    Fit free = way.free().withIntensity(true).withLikelihood("poisson");
    double[] x =
        new SplittableRandom(5).doubles((long) way.rows() * way.dimensions, 0.01, 0.99).toArray();
    Dataset events = Dataset.events(x, SmallTables.columns(way.dimensions));
    add("intensity", free, events);
  }
}
