package lovelace.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproductionTest {

  @TempDir private Path folder;

  private String run(List<String> names) throws IOException {
    StringWriter log = new StringWriter();
    new Reproduction(names, Size.TRIAL, null, folder, "the command")
        .run(new PrintWriter(log, true));
    return log.toString();
  }

  /// Every experiment at a size that means nothing: what is tested is that all cells are there.
  @Test
  void everyTableAndFigureIsInTheReport() throws IOException {
    run(Reproduction.names());
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
    assertFalse(page.contains("<td></td>"), "an empty cell");
    assertFalse(page.contains("src=\"http"), "the page needs nothing else");
    Matcher pictures = Pattern.compile("pictures/([a-z0-9-]+\\.svg)").matcher(text);
    int count = 0;
    for (; pictures.find(); count++)
      assertTrue(Files.exists(folder.resolve("pictures").resolve(pictures.group(1))));
    assertEquals(7, count, "pictures");
    JsonNode json = new ObjectMapper().readTree(folder.resolve("results.json").toFile());
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
    String again = run(Reproduction.names());
    assertTrue(again.contains("pieces were done before"), again);
    assertFalse(again.contains("[1/"), "what was done is not done again");
  }

  @Test
  void anUnknownExperimentIsRefusedWithThoseThereAre() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> run(List.of("airlines")));
    assertTrue(String.valueOf(e.getMessage()).contains("airline, variances, samples"));
  }

  @Test
  void aFolderWithoutTheSetsIsRefusedBeforeAnyWork() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new Reproduction(List.of("airline"), Size.TRIAL, folder, folder, ""));
    assertTrue(String.valueOf(e.getMessage()).contains("lacks airfoil"));
  }
}
