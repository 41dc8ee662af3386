package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
    assertTrue(err.toString().contains("runs in a row failed"), err::toString);
  }
}
