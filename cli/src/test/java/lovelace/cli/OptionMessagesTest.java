package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Every option of every command that takes a value is given bad ones: the answer is exit code 2
/// and names the option.
class OptionMessagesTest {

  @TempDir private Path folder;

  private static final String FIT =
      "fit @t.csv --target y --no-train --grid 20 --model @new.lvl"
          + " --set lengthscale=1 --set outputscale=1 --set noise=0.1 --set mean=0";

  /// A line of each command that works; `@` is the folder.
  private static final Map<String, String> LINES =
      Map.ofEntries(
          Map.entry("fit", FIT),
          Map.entry("predict", "predict @m.lvl @t.csv"),
          Map.entry(
              "forecast",
              "forecast @s.csv --horizon 2 --draws 2 --draws-out @d.csv --total 1 --total-out"
                  + " @s1.csv"),
          Map.entry("backtest", "backtest @s.csv --horizon 1 --windows 1"),
          Map.entry("areas", "areas @m.lvl @t.csv --by y"),
          Map.entry("sample", "sample @m.lvl @t.csv --draws 2"),
          Map.entry("evaluate", "evaluate @m.lvl @t.csv"),
          Map.entry("diagnose", "diagnose @m.lvl @t.csv --out @checks"),
          Map.entry("plot", "plot @m.lvl @t.csv --out @p.svg"),
          Map.entry("map", "map @p.lvl --resolution 1 --out @p.tif"),
          Map.entry("inspect", "inspect @m.lvl"),
          Map.entry("export", "export @m.lvl --out @m.onnx"),
          Map.entry("optimize", "optimize --function branin --budget 2 --initial 2 --out @o"),
          Map.entry("update", "update @m.lvl @t.csv --model @u.lvl"),
          Map.entry("merge", "merge @m.lvl @m.lvl --model @u.lvl"),
          Map.entry("compare", "compare @t.csv --target y --kernels rbf --folds 2"),
          Map.entry("serve", "serve @m.lvl --port 0"),
          Map.entry("bench cases", "bench cases @cases"),
          Map.entry("bench map", "bench map @map --kernel rbf --out @pictures"),
          Map.entry("bench field", "bench field --quick"),
          Map.entry("bench kriging", "bench kriging --rows 100 --ours"),
          Map.entry("bench tables", "bench tables @tables --method additive"),
          Map.entry("bench forecasts", "bench forecasts @sets"),
          Map.entry("bench likelihoods", "bench likelihoods --case gamma --size 16 --draws 1"),
          Map.entry("bench sparse", "bench sparse 8x8 --rows 0"),
          Map.entry("bench sites", "bench sites line/matern32/0.1/0.1/400 --cold"),
          Map.entry("bench speed", "bench speed --rows 1e4 --warmup 0"),
          Map.entry("bench box", "bench box --points 9 --rows 100"),
          Map.entry("bench billion", "bench billion --rows 1000 --points 15 --quarters 0"),
          Map.entry("reproduce", "reproduce airline --quick --out @r"),
          Map.entry("demo", "demo --out @d"),
          Map.entry("demo map", "demo map --out @d"),
          Map.entry("doctor", "doctor"),
          Map.entry("completion", "completion"));

  /// The other options that an option needs.
  private static final Map<String, String> WITH =
      Map.of(
          "--dropout", " --deep 4,2",
          "--held-out", " --deep 4,2",
          "--deep-steps", " --deep 4,2",
          "--checkpoint", " --deep 4,2",
          "--columns", " --rows 100",
          "--space", " --command true",
          "--tls-cert", " --tls-key @t.csv",
          "--tls-key", " --tls-cert @t.csv");

  /// Values that are no mistake.
  private static final Map<String, Set<String>> FINE =
      Map.ofEntries(
          Map.entry("--seed", Set.of("-3", "0")),
          Map.entry("--retries", Set.of("0")),
          Map.entry("--dropout", Set.of("0")),
          Map.entry("--held-out", Set.of("0")),
          Map.entry("plot --draws", Set.of("0")),
          Map.entry("map --draws", Set.of("0")),
          Map.entry("map --exceeds", Set.of("-3", "0")),
          Map.entry("--host", Set.of("0")),
          Map.entry("--port", Set.of("0")),
          Map.entry("--drain", Set.of("0")),
          Map.entry("--warmup", Set.of("0")),
          Map.entry("--samples", Set.of("0")),
          Map.entry("--points", Set.of("0")),
          Map.entry("--quarters", Set.of("0")),
          Map.entry("--split", Set.of("0")),
          Map.entry("bench sparse --rows", Set.of("0")),
          Map.entry("bench field --noise", Set.of("0")),
          Map.entry("--constraints", Set.of("0")),
          Map.entry("--improvement", Set.of("0")),
          Map.entry("optimize --noise-sd", Set.of("0")),
          Map.entry("--allowed-host", Set.of("NaN", "0")),
          // free text that the command cannot judge
          Map.entry("--command", Set.of("", "NaN", "-3", "0")),
          Map.entry("--cors", Set.of("NaN", "-3", "0")));

  @Test
  void everyMessageAboutAnOptionNamesIt() throws Exception {
    Files.writeString(folder.resolve("t.csv"), "t,y\n1,2\n2,3\n3,5\n4,4\n5,6\n");
    Files.createDirectories(folder.resolve("cases"));
    BenchMapTest.writeMap(folder.resolve("map"), 6, 5);
    BenchTablesTest.writeSet(folder.resolve("tables/tiny"), 60);
    BenchForecastsTest.writeSet(folder.resolve("sets"));
    Files.writeString(
        folder.resolve("s.csv"),
        "ds,y\n2020-01-01,4\n2020-01-02,5\n2020-01-03,3\n2020-01-04,5\n2020-01-05,4\n");
    assertEquals(0, run(FIT.replace("new.lvl", "m.lvl"), List.of()).code);
    Files.writeString(folder.resolve("p.csv"), "t,u,y\n1,2,2\n2,5,3\n3,1,5\n4,4,4\n5,3,6\n");
    String plane = FIT.replace("t.csv", "p.csv").replace("--grid 20", "--grid 8x8");
    assertEquals(0, run(plane.replace("new.lvl", "p.lvl"), List.of()).code);
    Set<String> wrong = new TreeSet<>();
    int tried = 0;
    for (Map.Entry<String, CommandLine> e : commands().entrySet()) {
      String line = LINES.get(e.getKey());
      assertTrue(line != null, () -> "no line for the command " + e.getKey());
      for (OptionSpec option : e.getValue().getCommandSpec().options()) {
        if (option.arity().max() == 0) continue;
        String name = option.longestName();
        for (String value : values(option)) {
          if (FINE.getOrDefault(name, Set.of()).contains(value)
              || FINE.getOrDefault(e.getKey() + " " + name, Set.of()).contains(value)) continue;
          tried++;
          String base = line.replaceAll(" " + name + " \\S+", "") + WITH.getOrDefault(name, "");
          if (name.equals("--command") || name.equals("--space"))
            base = base.replace(" --function branin", "");
          Answer answer = run(base, List.of(name + "=" + value));
          if (answer.code != 2 || !answer.text.contains(name))
            wrong.add(
                String.format(
                    Locale.ROOT,
                    "%s %s='%s': exit code %d, %s",
                    e.getKey(),
                    name,
                    value,
                    answer.code,
                    answer.text.strip()));
        }
      }
    }
    assertTrue(tried > 200, "tried " + tried);
    assertEquals("", String.join("\n", wrong));
  }

  private static List<String> values(OptionSpec option) {
    Class<?> type = option.auxiliaryTypes()[0];
    if (type == Path.class) return List.of("", "/dev/null/file");
    List<String> values = new ArrayList<>(List.of("", "NaN", "-3", "0"));
    if (List.of("--set", "--fix").contains(option.longestName()))
      values.addAll(List.of("noise=-1", "noise=NaN", "lenghtscale=1", "lengthscale=1,2", "noise="));
    if (List.of("--extend", "--bounds").contains(option.longestName()))
      values.addAll(List.of("t=NaN:5", "t=3:1", "t=1", "q=1:3", "t=-1e999:4"));
    if (type != String.class) values.add("1e999");
    return values;
  }

  /// All commands that run, by their names.
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

  private record Answer(int code, String text) {}

  private Answer run(String line, List<String> more) throws Exception {
    List<String> args = new ArrayList<>();
    for (String word : line.strip().split(" +", -1)) args.add(word.replace("@", folder + "/"));
    args.addAll(more);
    StringWriter err = new StringWriter();
    CompletableFuture<Integer> code = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () ->
                code.complete(
                    Main.run(
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err, true),
                        args.toArray(String[]::new))));
    thread.setDaemon(true);
    thread.start();
    try { // a server that starts with a bad value would run for ever
      return new Answer(code.get(12, TimeUnit.SECONDS), err.toString());
    } catch (TimeoutException e) {
      thread.interrupt();
      return new Answer(-1, "it was accepted, and ran: " + Arrays.toString(args.toArray()));
    }
  }
}
