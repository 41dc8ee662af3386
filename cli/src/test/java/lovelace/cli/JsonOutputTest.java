package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// `--json` prints JSON on standard output and nothing else there, `--quiet` nothing on standard
/// error, and the options that commands share mean the same in all of them.
class JsonOutputTest {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final String HELD =
      " --no-train --set lengthscale=1 --set outputscale=1 --set noise=0.1 --set mean=0";

  /// A line of every command that has `--json`.
  private static final Map<String, String> LINES = new LinkedHashMap<>();

  static {
    LINES.put("fit", "fit @t.csv --target y --grid 20 --model @new.lvl" + HELD);
    LINES.put("predict", "predict @m.lvl @t.csv");
    LINES.put("forecast", "forecast @s.csv --horizon 2");
    LINES.put("backtest", "backtest @s.csv --horizon 1 --windows 1");
    LINES.put("areas", "areas @m.lvl @t.csv --by side");
    LINES.put("sample", "sample @m.lvl @t.csv --draws 2");
    LINES.put("evaluate", "evaluate @m.lvl @t.csv --plot @e.svg");
    LINES.put("diagnose", "diagnose @m.lvl @t.csv --out @checks");
    LINES.put("plot", "plot @m.lvl @t.csv --out @p.svg");
    LINES.put("map", "map @p.lvl --resolution 1 --out @p.tif");
    LINES.put("inspect", "inspect @m.lvl");
    LINES.put("export", "export @m.lvl --out @m.onnx");
    LINES.put("optimize", "optimize --function branin --budget 3 --initial 3 --out @o");
    LINES.put("update", "update @m.lvl @t.csv --model @u.lvl");
    LINES.put("merge", "merge @m.lvl @m2.lvl --model @u.lvl");
    LINES.put("compare", "compare @t.csv --target y --inputs x --kernels rbf --folds 2");
    LINES.put("bench cases", "");
    LINES.put("bench map", "");
    LINES.put("bench field", "");
    LINES.put("bench kriging", "bench kriging --rows 100 --ours");
    LINES.put("bench tables", "bench tables --rows 60 --columns 2 --method additive --warmup 0");
    LINES.put("bench forecasts", "bench forecasts @sets");
    LINES.put("bench likelihoods", "bench likelihoods --case gamma --size 16 --draws 1");
    LINES.put("bench sparse", "bench sparse 8x8 --rows 0");
    LINES.put("bench sites", "bench sites line/matern32/0.1/0.1/400 --cold");
    LINES.put("bench speed", "");
    LINES.put("bench box", "bench box --points 9 --rows 200 --tolerance 0.5");
    LINES.put("bench billion", "bench billion --rows 1000 --points 15 --quarters 0");
    LINES.put("reproduce", "");
    LINES.put("doctor", "");
  }

  /// Those whose line would take long: their own tests look at their JSON.
  private static final Set<String> ELSEWHERE =
      Set.of("bench cases", "bench field", "bench map", "bench speed", "reproduce", "doctor");

  /// Commands whose results are rows, one object a line.
  private static final Set<String> ROWS = Set.of("predict", "forecast", "areas", "sample");

  @TempDir private Path folder;

  @Test
  void jsonIsPureAndQuietIsSilentInEveryCommand() throws IOException {
    Trial trial = new Trial(folder);
    StringBuilder csv = new StringBuilder("x,y,side\n");
    for (int i = 0; i < 24; i++)
      csv.append(i / 4.0)
          .append(',')
          .append(Math.sin(i / 4.0))
          .append(',')
          .append(i % 2)
          .append('\n');
    trial.write("t.csv", csv.toString());
    trial.write("p.csv", "t,u,y\n1,2,2\n2,5,3\n3,1,5\n4,4,4\n5,3,6\n");
    trial.write(
        "s.csv", "ds,y\n2020-01-01,4\n2020-01-02,5\n2020-01-03,3\n2020-01-04,5\n2020-01-05,4\n");
    BenchForecastsTest.writeSet(folder.resolve("sets"));
    String fit = "fit @t.csv --target y --inputs x --grid 20" + HELD;
    trial.ok(fit + " --model @m.lvl");
    trial.ok(fit + " --model @m2.lvl");
    trial.ok("fit @p.csv --target y --grid 8x8 --model @p.lvl" + HELD);
    for (String command : commandsWithJson()) {
      String line = LINES.get(command);
      assertTrue(line != null, () -> "no line for " + command);
      if (ELSEWHERE.contains(command)) continue;
      String printed = trial.ok(line + " --json --quiet");
      assertEquals("", trial.err(), line);
      if (ROWS.contains(command)) {
        int rows = 0;
        try (MappingIterator<JsonNode> all = JSON.readerFor(JsonNode.class).readValues(printed)) {
          for (; all.hasNext(); rows++) assertTrue(all.next().isObject(), line);
        }
        assertEquals(rows, printed.lines().count(), line);
        assertTrue(rows > 1, line);
      } else assertFalse(JSON.readTree(printed).isEmpty(), line);
    }
    assertEquals(LINES.keySet(), commandsWithJson());
  }

  private static Set<String> commandsWithJson() {
    Set<String> all = new TreeSet<>();
    commands()
        .forEach(
            (name, command) -> {
              if (command.getCommandSpec().findOption("--json") != null) all.add(name);
            });
    return all;
  }

  private static Map<String, CommandLine> commands() {
    Map<String, CommandLine> all = new LinkedHashMap<>();
    Main.all()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getSubcommands().isEmpty() || name.equals("demo")) all.put(name, command);
              command.getSubcommands().forEach((own, sub) -> all.put(name + " " + own, sub));
            });
    return all;
  }

  @Test
  void sharedOptionsMeanTheSameInEveryCommand() {
    commands()
        .forEach(
            (name, command) -> {
              OptionSpec model = command.getCommandSpec().findOption("--model");
              if (model != null) assertEquals(Path.class, model.type(), name);
              OptionSpec json = command.getCommandSpec().findOption("--json");
              if (json != null) assertEquals(0, json.arity().max(), name);
              OptionSpec out = command.getCommandSpec().findOption("--out");
              if (out != null)
                assertTrue(
                    List.of("FILE", "DIR").contains(out.paramLabel()),
                    () -> name + " " + out.paramLabel());
              assertTrue(command.getCommandSpec().findOption("--quiet") != null, name);
            });
  }

  /// Errors are no remarks.
  @Test
  void quietKeepsErrors() {
    Trial trial = new Trial(folder);
    assertTrue(trial.refused("inspect @no.lvl --quiet").contains("there is no model"));
    assertTrue(trial.refused("--quiet inspect").contains("MODEL is missing"));
    assertTrue(trial.refused("--quiet").contains("Usage: lovelace"));
  }
}
