package lovelace.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The conclusions of a report follow from its numbers: tests change stored numbers and read the
/// report.
class ConclusionsTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;

  /// The report of an experiment whose kept results `change` has changed, by key.
  private String report(String name, BiConsumer<String, ObjectNode> change) throws IOException {
    Path cells = Files.createDirectories(folder.resolve("cells"));
    try (var files = Files.list(TrialRun.folder().resolve("cells"))) {
      for (Path file : files.toList()) {
        JsonNode kept = MAPPER.readTree(file.toFile());
        String key = file.getFileName().toString().replace(".json", "");
        change.accept(key, (ObjectNode) kept.path("result"));
        MAPPER.writeValue(cells.resolve(file.getFileName().toString()).toFile(), kept);
      }
    }
    TrialRun.run(folder, List.of(name));
    return Files.readString(folder.resolve("report.md"));
  }

  private List<String> listed(String name) throws IOException {
    JsonNode list = MAPPER.readTree(folder.resolve("results.json").toFile()).path(name);
    assertTrue(list.isArray(), name);
    return list.valueStream().map(JsonNode::asText).toList();
  }

  private static void likelihoods(String key, ObjectNode result, double love, double others) {
    if (!key.startsWith("airline-")) return;
    for (var method : result.path("methods").properties())
      ((ObjectNode) method.getValue())
          .put("joint_log_likelihood", method.getKey().equals("LOVE") ? love : others);
  }

  @Test
  void aForecastThatIsWorseIsNotCalledBetter() throws IOException {
    String text = report("airline", (key, result) -> likelihoods(key, result, -400, -400));
    assertFalse(text.contains("better than the paper's"), text);
    assertTrue(text.contains("178.0 worse than the paper's"), text);
    text = report("airline", (key, result) -> likelihoods(key, result, -200, -200));
    assertFalse(text.contains("worse than the paper's"), text);
    assertTrue(text.contains("22.0 better than the paper's"), text);
  }

  @Test
  void methodsThatDisagreeAreNamed() throws IOException {
    String text = report("airline", (key, result) -> likelihoods(key, result, -250, -200));
    assertFalse(text.contains("agree"), text);
    assertTrue(text.contains("farther than 1 from it: LOVE (−250.0)"), text);
    assertTrue(
        listed("red")
            .contains("Figure 1: airline passengers, trend, LOVE, test log-likelihood: −250.0"),
        listed("red")::toString);
  }

  @Test
  void aNumberOfOursThatIsNoneIsAnEmptyCell() throws IOException {
    report(
        "variances",
        (key, result) -> {
          if (key.equals("variances-airfoil")) {
            result.put("love_smae_kiss", Double.NaN);
            result.remove("default_after_ms");
          }
        });
    List<String> empty = listed("empty");
    assertTrue(
        empty.contains("Table 2: variances, Airfoil (synthetic), SMAE to KISS-GP: LOVE"),
        empty::toString);
    assertTrue(empty.stream().anyMatch(cell -> cell.contains("after: default")), empty::toString);
    assertTrue(Files.readString(folder.resolve("report.html")).contains("<td class=\"bad\"></td>"));
    report("variances", (key, result) -> {});
    assertEquals(List.of(), listed("empty"));
  }

  @Test
  void sentencesUnderTableTwoCountWhatIsInIt() throws IOException {
    String text =
        report(
            "variances",
            (key, result) -> {
              if (!key.startsWith("variances-")) return;
              for (String own : List.of("algorithm1", "love", "default")) {
                result.put(own + "_smae_kiss", 1e-12);
                result.put(own + "_scratch_ms", own.equals("default") ? 1 : 2);
                result.put(own + "_after_ms", 1);
              }
              for (String other : List.of("kiss_ms", "thin_scratch_ms", "thin_after_ms"))
                result.put(other, 1e6);
            });
    assertTrue(
        text.contains("at least as close to KISS-GP as the paper's LOVE on all 7 sets"), text);
    assertTrue(text.contains("as published: at least the paper's in all 42 cells"), text);
    assertTrue(text.contains("fewest coordinates: at least the paper's in all 42 cells"), text);
    assertFalse(text.contains("longer from scratch than LOVE with k = 50 on"), text);
    assertFalse(text.contains("too few"), text);
  }

  @Test
  void samplersThatMissTheCovarianceAreNamed() throws IOException {
    String text =
        report(
            "samples",
            (key, result) -> {
              for (var method : result.path("methods").properties())
                if (key.startsWith("samples-"))
                  ((ObjectNode) method.getValue())
                      .put("error", method.getKey().equals("pathwise") ? 3 : 1);
            });
    assertTrue(text.contains("pathwise misses it on PoleTele"), text);
    assertFalse(text.contains("LOVE misses"), text);
  }

  @Test
  void errorsThatDoNotFallAreNotSaidToFall() throws IOException {
    String text =
        report(
            "iterations",
            (key, result) -> {
              if (key.startsWith("iterations-"))
                for (String name : List.of("smae", "algorithm1_smae"))
                  if (result.has(name)) {
                    double[] flat = new double[result.path("k").size()];
                    Arrays.fill(flat, 0.1);
                    Bench.put(result, name, flat);
                  }
            });
    assertFalse(text.contains("falls exponentially, as the paper says"), text);
    assertTrue(text.contains("falls exponentially on none of 4 sets"), text);
  }

  @Test
  void aSamplerWhoseMaximaDifferIsNotPraised() throws IOException {
    String text =
        report(
            "maxvalue",
            (key, result) -> {
              if (key.equals("maxvalue"))
                ((ObjectNode) result.path("methods").path("pathwise")).put("p", 1e-9);
            });
    assertTrue(text.contains("differ from the exact ones: pathwise"), text);
  }

  @Test
  void exponentsAreJudgedOnBothSides() {
    double[] sizes = {100, 200, 400, 800, 1600};
    assertEquals(Growth.Verdict.AS_THE_BOUND, judge(sizes, 1, 2, n -> n * n));
    assertEquals(Growth.Verdict.LARGER, judge(sizes, 1, 1, n -> n * n));
    assertEquals(Growth.Verdict.SMALLER, judge(sizes, 1, 3, n -> n * n));
    // a fixed cost hides the growth
    assertEquals(Growth.Verdict.CANNOT_TELL, judge(sizes, 1e5, 2, n -> n * n));
    assertEquals(Growth.Verdict.CANNOT_TELL, judge(sizes, 1, 1, n -> 1));
    // two sizes are a line whatever they are
    assertEquals(Growth.Verdict.CANNOT_TELL, judge(new double[] {100, 200}, 0, 2, n -> n * n));
    assertEquals(Growth.Verdict.CANNOT_TELL, judge(sizes, 0, 2, n -> Double.NaN));
  }

  private static Growth.Verdict judge(
      double[] sizes, double fixed, double paper, DoubleUnaryOperator cost) {
    double[] times = new double[sizes.length];
    for (int i = 0; i < times.length; i++) times[i] = fixed + cost.applyAsDouble(sizes[i]);
    return Growth.Line.through(sizes, times).verdict(paper);
  }
}
