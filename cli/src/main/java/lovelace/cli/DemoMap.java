package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace demo map`: goes from rain gauges to a map of the rain and of its uncertainty.
@Command(
    name = "map",
    description = {
      "Map the rain of one month in the Rocky Mountains from 806 gauges.",
      "Shows where it rained how much, how sure that is, and where it was more than 100 mm. "
          + "Writes the table, the model, a raster for a GIS, pictures, and a page to zoom, and "
          + "says the commands that made them.",
      "",
      "Example: lovelace demo map --out rain"
    })
final class DemoMap implements Callable<Integer> {

  private static final String FIT =
      "fit rain.csv --target rain --inputs lon,lat --crs EPSG:4326 --kernel matern12"
          + " --transform ranks --model rain.lvl";
  private static final String MAP =
      "map rain.lvl --resolution 0.05 --quantiles 0.95 --exceeds 100 --contours 50,100,150,200"
          + " --out rain.tif --out rain.png --out rain.html";

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the files (default: demo).")
  private Path out = Path.of("demo");

  @Override
  public Integer call() throws IOException {
    Output.makeFolder("--out", out);
    String table = table();
    Output.write(out.resolve("rain.csv"), table);
    PrintWriter print = spec.commandLine().getOut();
    print.println("Rain of August 1997 in the Rocky Mountains, in mm at 806 gauges");
    print.println("Observations: US National Weather Service, by NOAA; public domain");
    print.println();
    for (String line : List.of(FIT, MAP)) {
      int code = run(line, print);
      if (code != 0) return code;
    }
    print.println();
    print.println("Look at:  " + out.resolve("rain.png") + ", " + out.resolve("rain.html"));
    print.println("For GIS:  " + out.resolve("rain.tif"));
    print.println("Next, with a table of your own that has columns lon and lat:");
    print.println("          lovelace map TABLE --target COLUMN --inputs lon,lat --out map.html");
    return 0;
  }

  /// The table of gauges, without the lines that name its source.
  private static String table() throws IOException {
    try (InputStream in = DemoMap.class.getResourceAsStream("rain.csv")) {
      if (in == null) throw new IllegalStateException("rain.csv is missing");
      return new BufferedReader(new InputStreamReader(in, UTF_8))
          .lines()
          .filter(line -> !line.startsWith("#"))
          .collect(Collectors.joining("\n", "", "\n"));
    }
  }

  /// Prints a command and runs it on the files of the folder.
  private int run(String line, PrintWriter print) {
    List<String> arguments = new ArrayList<>();
    for (String word : List.of(line.split(" ", -1)))
      arguments.add(word.startsWith("rain.") ? out.resolve(word).toString() : word);
    print.println("> lovelace " + String.join(" ", arguments));
    print.flush();
    if (spec.findOption("--threads").getValue() instanceof Integer n && n > 0)
      arguments.add("--threads=" + n);
    PrintWriter err = spec.commandLine().getErr();
    StringWriter said = new StringWriter();
    int code = Main.run(new PrintWriter(said), err, arguments.toArray(String[]::new));
    said.toString().lines().forEach(each -> print.println("  " + each));
    return code;
  }
}
