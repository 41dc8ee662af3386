package lovelace.experiments;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/// Compares sites and nearest rows with the exact process of the same rows and parameters, at
/// several settings each. The models that `fit` makes on grids are measured too. All work is done
/// by one thread.
public final class SitesBenchmark {

  /// One engine may take this many times the time of another. docs/decisions/sites-or-nearest.md
  /// says which errors are accepted, and what follows.
  private static final double PATIENCE = 4;

  private static final int[] NEIGHBOURS = {30, 60, 120, 250, 400, 800};
  private static final double[][] SITES = {{10, 3}, {20, 3}, {40, 3}, {80, 3}, {40, 1}, {40, 6}};

  /// For fewer rows, more than 400 neighbours are not tried: for every question, that takes over
  /// four times as long as sites.
  private static final int MANY = 5000;

  /// Points along each axis; 0 to let `fit` choose.
  private static final int[] GRIDS = {0, 50, 100};

  /// The most rows for which likelihoods are compared, at two settings each.
  private static final int EVIDENCE = 5000;

  private SitesBenchmark() {}

  /// The cases by number. The most informative come first.
  public static List<RowsCase> cases() {
    List<RowsCase> all = new ArrayList<>();
    double[][] settings = {{0.05, 0.1}, {0.3, 1}, {0.3, 0.01}};
    RowPlaces[] plane = {RowPlaces.GAPS, RowPlaces.UNIFORM, RowPlaces.CLUSTERS, RowPlaces.TRACKS};
    int seed = 1;
    for (double[] s : settings)
      for (RowPlaces places : plane)
        for (String kernel : List.of("matern32", "matern12"))
          all.add(new RowsCase(places, kernel, s[0], s[1], 3000, seed++));
    for (RowPlaces places : List.of(RowPlaces.GAPS, RowPlaces.UNIFORM))
      for (String kernel : List.of("matern52", "rbf"))
        for (double[] s : settings) all.add(new RowsCase(places, kernel, s[0], s[1], 3000, seed++));
    for (RowPlaces places : List.of(RowPlaces.GAPS, RowPlaces.UNIFORM))
      for (String kernel : List.of("matern32", "matern12"))
        all.add(new RowsCase(places, kernel, 0.1, 0, 3000, seed++));
    for (RowPlaces places : List.of(RowPlaces.GAPS, RowPlaces.UNIFORM))
      for (double[] s : settings) {
        all.add(new RowsCase(places, "matern32", s[0], s[1], 1000, seed++));
        all.add(new RowsCase(places, "matern32", s[0], s[1], 10_000, seed++));
      }
    for (int rows : new int[] {3000, 10_000}) // a part of a map of many more rows
    for (RowPlaces places : List.of(RowPlaces.GAPS, RowPlaces.UNIFORM))
        for (String kernel : List.of("matern32", "matern12"))
          all.add(new RowsCase(places, kernel, 1.3, 1, rows, seed++));
    all.add(new RowsCase(RowPlaces.GAPS, "matern32", 0.3, 1, 20_000, seed++));
    all.add(new RowsCase(RowPlaces.GAPS, "matern32", 0.05, 0.1, 20_000, seed++));
    for (String kernel : List.of("matern12", "matern32", "rbf"))
      all.add(new RowsCase(RowPlaces.LINE, kernel, 0.05, 0.1, 3000, seed++));
    return all;
  }

  /// Runs the work once, so that the machine compiles it before it is measured.
  public static void warmUp() {
    for (int i = 0; i < 2; i++) run(new RowsCase(RowPlaces.GAPS, "matern32", 0.1, 0.1, 800, 99));
  }

  /// Measures a case on one thread.
  public static Map<String, Object> run(RowsCase of) {
    try (ForkJoinPool alone = new ForkJoinPool(1)) {
      return alone.submit(() -> measure(of)).join();
    }
  }

  private static Map<String, Object> measure(RowsCase of) {
    boolean evidence = of.rows() <= EVIDENCE;
    RowsTruth truth = new RowsTruth(of, evidence);
    List<RowsTrial> sites = new ArrayList<>();
    for (double[] s : SITES) {
      RowsTrial one = RowsTrial.sites(truth, (int) s[0], s[1], evidence && s[0] == 40 && s[1] == 3);
      sites.add(one);
    }
    List<RowsTrial> neighbours = new ArrayList<>();
    for (int k : NEIGHBOURS) {
      if (k > of.rows()) continue;
      if (k > 400 && (of.rows() < MANY || allGood(neighbours.getLast()))) continue;
      neighbours.add(RowsTrial.neighbours(truth, k, evidence && k == 30));
    }
    List<RowsTrial> others = new ArrayList<>(List.of(RowsTrial.exact(truth)));
    for (int points : GRIDS) others.add(RowsTrial.grid(truth, points));
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("case", of.toString());
    result.put("places", of.places().toString());
    result.put("kernel", of.kernel());
    result.put("lengthscale", of.lengthscale());
    result.put("noise", of.noise());
    result.put("rows", of.rows());
    result.put("planned", of.planned(truth.data));
    List<Map<String, Object>> trials = new ArrayList<>();
    sites.forEach(t -> trials.add(t.json()));
    neighbours.forEach(t -> trials.add(t.json()));
    others.forEach(t -> trials.add(t.json()));
    result.put("trials", trials);
    result.put("needs_sites", needs(sites, neighbours, PATIENCE));
    List<RowsTrial> elsewhere = new ArrayList<>(neighbours);
    elsewhere.addAll(others);
    result.put("needs_sites_beside_all", needs(sites, elsewhere, PATIENCE));
    result.put("needs_sites_at_equal_time", needs(sites, neighbours, 1));
    result.put("needs_neighbours", needs(neighbours, sites, PATIENCE));
    result.put("needs_neighbours_at_equal_time", needs(neighbours, sites, 1));
    return result;
  }

  private static boolean allGood(RowsTrial trial) {
    return IntStream.range(0, RowsTrial.QUESTIONS.length).allMatch(trial::good);
  }

  /// The questions that one engine answers with the setting of `fit`, and that the other does not
  /// answer within `times` times the time. Single places as a map have names of their own.
  private static List<String> needs(List<RowsTrial> one, List<RowsTrial> other, double times) {
    List<String> found = new ArrayList<>();
    RowsTrial usual = one.stream().filter(RowsTrial::usual).findFirst().orElseThrow();
    for (int q = 0; q < RowsTrial.QUESTIONS.length; q++)
      for (boolean map : q < 3 ? new boolean[] {false, true} : new boolean[] {false}) {
        int question = q;
        double most = times * usual.seconds(q, map);
        if (usual.good(q)
            && other.stream().noneMatch(t -> t.good(question) && t.seconds(question, map) <= most))
          found.add((map ? "map " : "") + RowsTrial.QUESTIONS[q]);
      }
    return found;
  }
}
