package lovelace.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.experiments.BenchmarkCase;
import lovelace.experiments.baseline.KissGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.ConjugateGradients;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproductionTest {

  @TempDir private Path folder;

  /// Every experiment at a size that means nothing: what is tested is that all cells are there.
  @Test
  void everyTableAndFigureIsInTheReport() throws IOException {
    Path folder = TrialRun.folder();
    String page = Files.readString(folder.resolve("report.html"));
    String text = Files.readString(folder.resolve("report.md"));
    for (String title :
        List.of(
            "Figure 1: airline",
            "Table 2: variances",
            "Table 3: samples",
            "Figure 2: accuracy",
            "Figure 3: the distribution",
            "Table 1: complexity")) {
      assertTrue(page.contains(title), title);
      assertTrue(text.contains("## " + title), title);
    }
    assertFalse(page.contains("NaN"), "a number that is none");
    assertFalse(page.contains("src=\"http"), "the page needs nothing else");
    Matcher pictures = Pattern.compile("pictures/([a-z0-9-]+\\.svg)").matcher(text);
    int count = 0;
    for (; pictures.find(); count++)
      assertTrue(Files.exists(folder.resolve("pictures").resolve(pictures.group(1))));
    assertEquals(7, count, "pictures");
    JsonNode json = new ObjectMapper().readTree(folder.resolve("results.json").toFile());
    assertEquals(0, json.path("empty").size(), () -> "empty cells: " + json.path("empty"));
    for (String key : List.of("command", "machine", "begun", "ended", "seed", "results"))
      assertTrue(json.has(key), key);
    assertTrue(json.path("machine").has("jdk"));
    assertFalse(json.path("results").path("features-pol").has("data"), "rows are not results");
    for (Sets set : Sets.values())
      for (String name : List.of("algorithm1", "love", "default")) {
        JsonNode found = json.path("results").path("variances-" + set.folder);
        assertTrue(found.path(name + "_smae_exact").asDouble(1) < 0.1, set + " " + name);
        assertTrue(found.path(name + "_scratch_ms").asDouble(0) > 0, set + " " + name);
      }
    assertTrue(
        text.contains("Build: `" + json.path("results").path("maxvalue").path("build").asText()));
    for (Path problem : BenchmarkCase.folders(folder.resolve("cases"))) {
      BenchmarkCase kept = BenchmarkCase.read(problem);
      ExactGp exact = ExactGp.of(kept.train(), kept.hyperparameters());
      assertEquals(kept.exactLikelihood(), exact.logMarginalLikelihood(), 1e-9, problem.toString());
      assertArrayEquals(
          kept.exactVariance(), exact.predict(kept.test().inputs()).variances(), 1e-9);
    }
    String again = TrialRun.run(folder, Reproduction.names());
    assertTrue(again.contains("pieces were done before"), again);
    assertFalse(again.contains("[1/"), "what was done is not done again");
  }

  /// The baseline solves what [KissGp] solves, in other coordinates.
  @Test
  void publishedKissGpHasTheVariancesOfKissGp() {
    SplittableRandom random = new SplittableRandom(7);
    double[] x = new double[400];
    double[] y = new double[200];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble(-1, 1);
    for (int i = 0; i < y.length; i++) y[i] = Math.sin(4 * x[2 * i]) + 0.1 * random.nextGaussian();
    Dataset data = Dataset.of(x, 2, y);
    Grid grid = Grid.of(Axis.covering(-1, 1, 16), Axis.covering(-1, 1, 18));
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("0.8*rbf(lengthscale=[0.4,0.6])").bind(2), 0.05, PriorMean.constant(0));
    LatticeProblem system = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    double[] points = new double[80];
    for (int i = 0; i < points.length; i++) points[i] = random.nextDouble(-1, 1);
    double[] expected =
        KissGp.of(system, ConjugateGradients.DEFAULT.withTolerance(1e-12))
            .predict(points)
            .variances();
    double[] found = PlainKiss.variances(system, data, Stencils.of(grid, points), 1e-12);
    assertArrayEquals(expected, found, 1e-9);
  }

  @Test
  void anUnknownExperimentIsRefusedWithThoseThereAre() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> TrialRun.run(folder, List.of("airlines")));
    assertTrue(String.valueOf(e.getMessage()).contains("airline, variances, samples"));
  }

  @Test
  void aFolderWithoutTheSetsIsRefusedBeforeAnyWork() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new Reproduction(List.of("airline"), Size.TRIAL, folder, folder, ""));
    assertTrue(String.valueOf(e.getMessage()).contains("has no airfoil"));
  }
}
