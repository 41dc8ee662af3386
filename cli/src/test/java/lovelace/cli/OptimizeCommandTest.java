package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptimizeCommandTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = new String[arguments.length];
    for (int i = 0; i < all.length; i++) all[i] = arguments[i].replace("@", folder + "/");
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(Files.readString(folder.resolve("r.json")));
  }

  @Test
  void aTestFunctionIsSearchedReportedAndDrawn() throws IOException {
    assertEquals(
        0,
        run(
            "optimize",
            "--function",
            "branin",
            "--budget",
            "20",
            "--acquisition",
            "mes",
            "--seed",
            "3",
            "--out",
            "@r.json",
            "--out",
            "@pictures"),
        err::toString);
    JsonNode r = json();
    assertEquals(20, r.get("evaluations").asInt());
    assertEquals(20, r.get("history").size());
    assertTrue(r.get("regret").asDouble() < 10, r::toString);
    assertEquals(
        r.get("best_value").asDouble() - 0.39788735772973816, r.get("regret").asDouble(), 1e-12);
    assertTrue(r.get("best_point").has("x1"));
    assertTrue(err.toString().contains("20 of 20 evaluations, best"));
    assertTrue(Files.size(folder.resolve("pictures/trace.png")) > 1000);
    assertTrue(Files.size(folder.resolve("pictures/surface.png")) > 1000);
  }

  @Test
  void aProgramIsTunedByWorkersAndGoesOnFromItsJournal() throws IOException {
    Files.writeString(
        folder.resolve("space.json"),
        """
        {"x": {"type": "real", "low": -1, "high": 1},
         "n": {"type": "integer", "low": 1, "high": 5},
         "mode": {"type": "choice", "options": ["it's", "b"]}}
        """);
    Files.writeString(
        folder.resolve("run.sh"),
        """
        [ "$2" = 5 ] && exit 3
        echo some chatter
        awk -v x="$1" -v n="$2" -v m="$3" 'BEGIN {v = (x - 0.3)^2 + (n - 3)^2; if (m != "b") v += 1; print v}'
        """);
    String[] command = {
      "optimize",
      "--command",
      "sh @run.sh {x} {n} {mode}",
      "--space",
      "@space.json",
      "--workers",
      "3",
      "--budget",
      "12",
      "--acquisition",
      "logei",
      "--noise-sd",
      "0",
      "--out",
      "@r.json",
      "--out",
      "@pictures"
    };
    assertEquals(0, run(command), err::toString);
    assertEquals(12, json().get("evaluations").asInt());
    JsonNode before = json().get("history");
    command[8] = "30"; // more budget: the same search goes on
    assertEquals(0, run(command), err::toString);
    assertTrue(err.toString().contains("Continuing after 12 evaluations"), err::toString);
    JsonNode r = json();
    assertEquals(30, r.get("evaluations").asInt());
    for (int i = 0; i < 12; i++) assertEquals(before.get(i), r.get("history").get(i));
    assertTrue(r.get("best_value").asDouble() < 0.2, r::toString);
    assertEquals(3, r.get("best_point").get("n").asInt());
    assertEquals("b", r.get("best_point").get("mode").asText());
  }

  @Test
  void standardErrorIsShownAndALongRunIsEndedAndTheSearchGoesOn() throws IOException {
    Files.writeString(
        folder.resolve("space.json"), "{\"n\": {\"type\": \"integer\", \"low\": 1, \"high\": 2}}");
    // the first run starts a child that would take minutes
    Files.writeString(
        folder.resolve("run.sh"),
        """
        echo "trying $1" >&2
        [ -e "$2/seen" ] || { touch "$2/seen"; (sleep 300; echo 9); }
        echo "$1"
        """);
    assertEquals(
        0,
        run(
            "optimize",
            "--command",
            "sh @run.sh {n} " + folder,
            "--space",
            "@space.json",
            "--budget",
            "3",
            "--initial",
            "3",
            "--run-time",
            "1",
            "--out",
            "@r.json",
            "--out",
            "@pictures"),
        err::toString);
    assertTrue(err.toString().contains("trying 1"), err::toString);
    assertTrue(err.toString().contains("ran longer than 1 s and was stopped"), err::toString);
    assertEquals(3, json().get("evaluations").asInt());
    assertTrue(json().get("history").get(0).get("value").isNull(), json()::toString);
    assertEquals(2, run("optimize", "--function", "branin", "--run-time", "0", "--out", "@p"));
    assertTrue(err.toString().contains("--run-time"), err::toString);
  }

  @Test
  void wrongUseIsExplained() throws IOException {
    assertEquals(2, run("optimize"));
    assertTrue(err.toString().contains("--function or --command"), err::toString);
    assertEquals(2, run("optimize", "--function", "himmelblau"));
    assertEquals(2, run("optimize", "--command", "echo {x}"));
    Files.writeString(
        folder.resolve("s.json"), "{\"x\": {\"type\": \"real\", \"low\": 2, \"high\": 1}}");
    assertEquals(2, run("optimize", "--command", "echo {x}", "--space", "@s.json"));
    assertTrue(err.toString().contains("low < high"), err::toString);
    Files.writeString(
        folder.resolve("s.json"), "{\"x\": {\"type\": \"real\", \"low\": 0, \"high\": 1}}");
    assertEquals(2, run("optimize", "--command", "echo 1", "--space", "@s.json"));
    assertTrue(err.toString().contains("{x}"), err::toString);
    assertEquals(1, run("optimize", "--command", "false {x}", "--space", "@s.json", "--out", "@p"));
    assertTrue(err.toString().contains("all of the first 10 runs failed"), err::toString);
    assertTrue(err.toString().contains("try the command by hand"), err::toString);
    assertEquals(2, run("optimize", "--function", "branin", "--retries", "-1", "--out", "@p"));
    assertTrue(err.toString().contains("--retries"), err::toString);
  }

  /// A program whose runs fail as `fails` says, a condition of the shell on the number `$n` of the
  /// run. It prints the number on its one argument, less 0.3, squared.
  private void program(String fails) throws IOException {
    Files.writeString(
        folder.resolve("space.json"), "{\"x\": {\"type\": \"real\", \"low\": 0, \"high\": 1}}");
    Files.writeString(
        folder.resolve("run.sh"),
        """
        n=$(cat '@count' 2>/dev/null || echo 0)
        n=$((n + 1))
        echo $n > '@count'
        if %s; then exit 3; fi
        awk -v x="$1" 'BEGIN {print (x - 0.3)^2}'
        """
            .formatted(fails)
            .replace("@", folder + "/"));
  }

  private int search(int budget, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("optimize", "--command", "sh @run.sh {x}", "--space", "@space.json"));
    all.addAll(List.of("--budget", Integer.toString(budget), "--initial", "4"));
    all.addAll(List.of("--out", "@r.json", "--out", "@pictures"));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  @Test
  void failuresInARowDoNotEndTheSearchAndAreTriedAgain() throws IOException {
    program("[ $n -ge 6 ] && [ $n -le 12 ]");
    assertEquals(0, search(20), err::toString);
    JsonNode r = json();
    assertEquals(20, r.get("evaluations").asInt());
    assertEquals(7, r.get("failures").asInt());
    assertTrue(out.toString().contains("Evaluations: 20, 7 of them failed; "), out::toString);
    assertTrue(r.get("best_value").asDouble() < 1e-3, r::toString);
    JsonNode history = r.get("history");
    for (int i = 5; i < 11; i += 2) // runs 6, 8 and 10, each tried again by the next
    assertEquals(history.get(i).get("point"), history.get(i + 1).get("point"));
    assertTrue(err.toString().contains("; the same point is tried again"), err::toString);
  }

  @Test
  void retriesAreAsManyAsAsked() throws IOException {
    program("[ $n -ge 6 ] && [ $n -le 9 ]");
    assertEquals(0, search(12, "--retries", "0"), err::toString);
    JsonNode history = json().get("history");
    for (int i = 5; i < 9; i++)
      assertNotEquals(history.get(i).get("point"), history.get(i + 1).get("point"));
    program("[ $n -ge 6 ] && [ $n -le 9 ]");
    Files.delete(folder.resolve("count"));
    assertEquals(0, search(12, "--retries", "4", "--journal", "@other"), err::toString);
    history = json().get("history");
    for (int i = 5; i < 9; i++)
      assertEquals(history.get(i).get("point"), history.get(i + 1).get("point"));
  }

  /// After the command is mended, the search goes on.
  @Test
  void aCommandThatNeverWorksEndsTheSearchAndItGoesOnOnceMended() throws IOException {
    program("true");
    assertEquals(1, search(30), err::toString);
    assertEquals("10", Files.readString(folder.resolve("count")).trim());
    assertTrue(err.toString().contains("all of the first 10 runs failed"), err::toString);
    program("false");
    assertEquals(0, search(30), err::toString);
    assertTrue(err.toString().contains("Continuing after 10 evaluations"), err::toString);
    assertEquals(30, json().get("evaluations").asInt());
    assertEquals(10, json().get("failures").asInt());
    // a budget that only failures have used
    program("true");
    assertEquals(1, search(3, "--journal", "@third"), err::toString);
    assertTrue(err.toString().contains("all of the first 3 runs failed"), err::toString);
  }

  @Test
  void withoutNoiseTheBestIsTheBestSeenAndWithNoiseTheReasonIsSaid() throws IOException {
    program("false");
    assertEquals(0, search(20), err::toString);
    JsonNode r = json();
    assertEquals("unseen", r.get("noise").asText());
    double least = Double.POSITIVE_INFINITY;
    for (JsonNode each : r.get("history")) least = Math.min(least, each.get("value").asDouble());
    assertEquals(least, r.get("best_value").asDouble());
    assertFalse(out.toString().contains("Noise:"), out::toString);
    Files.writeString( // the same at every point but for a number that differs from run to run
        folder.resolve("run.sh"),
        """
        n=$(cat '@count' 2>/dev/null || echo 0)
        n=$((n + 1))
        echo $n > '@count'
        awk -v x="$1" -v n="$n" 'BEGIN {print (x - 0.3)^2 + 0.3 * cos(37 * n * n)}'
        """
            .replace("@", folder + "/"));
    assertEquals(0, search(30, "--journal", "@noisy"), err::toString);
    r = json();
    assertTrue(Set.of("likely", "repeated").contains(r.get("noise").asText()), r::toString);
    assertTrue(out.toString().contains("Noise:       yes ("), out::toString);
    assertNotEquals(r.get("best_evaluation"), r.get("best_observed_evaluation"));
    assertTrue(
        out.toString().contains(", evaluation " + r.get("best_observed_evaluation")),
        out::toString);
    assertTrue(out.toString().contains("--noise-sd 0"), out::toString);
  }
}
