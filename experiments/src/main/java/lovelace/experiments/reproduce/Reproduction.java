package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import lovelace.io.AtomicFile;
import org.jspecify.annotations.Nullable;

/// Reproduces the paper's tables and figures, with the published figures beside ours, as
/// `report.html`, `report.md` and `results.json` in a folder.
///
/// Every finished piece is stored in the folder, so a run that was stopped continues where it was.
///
/// @param experiments their names, in the order of the report
/// @param size the share of the paper's work to do
/// @param data a folder of the paper's sets, or null for synthetic ones in their place
/// @param out the folder of the report
/// @param command the command that gives the same report
public record Reproduction(
    List<String> experiments, Size size, @Nullable Path data, Path out, String command) {

  private static final List<Experiment> ALL =
      List.of(
          new AirlineFigure(),
          new VarianceTable(),
          new SampleTable(),
          new IterationFigure(),
          new MaximumFigure(),
          new ComplexityTable());

  /// The names of all experiments.
  public static List<String> names() {
    return ALL.stream().map(Experiment::name).toList();
  }

  /// The names of the chosen experiments that learn networks.
  public List<String> overNetworks() {
    return ALL.stream()
        .filter(Experiment::overNetworks)
        .map(Experiment::name)
        .filter(experiments::contains)
        .toList();
  }

  public Reproduction {
    for (String name : experiments)
      if (!names().contains(name))
        throw new IllegalArgumentException(
            "there is no experiment '%s'; there are %s and all"
                .formatted(name, String.join(", ", names())));
    experiments = names().stream().filter(List.copyOf(experiments)::contains).toList();
    if (experiments.isEmpty()) throw new IllegalArgumentException("name at least one experiment");
    if (data != null) Sets.check(data);
  }

  /// The result of a run.
  ///
  /// @param page the report
  /// @param empty cells of tables without a number of ours; there must be none
  /// @param red cells that are worse than the paper's figure
  public record Outcome(Path page, List<String> empty, List<String> red) {
    public Outcome {
      empty = List.copyOf(empty);
      red = List.copyOf(red);
    }
  }

  /// Runs the cells that are not done yet and writes the report.
  ///
  /// @param log receives every step and the time left
  public Outcome run(PrintWriter log) throws IOException {
    Files.createDirectories(out);
    Bench bench = new Bench(size, data, out);
    List<Experiment> chosen = ALL.stream().filter(e -> experiments.contains(e.name())).toList();
    Map<String, Cell> cells = new LinkedHashMap<>();
    for (Experiment experiment : chosen)
      for (Cell cell : experiment.cells(bench)) cells.putIfAbsent(cell.key(), cell);
    Instant begun = Instant.now();
    work(bench, new ArrayList<>(cells.values()), log);
    Report report = report(bench, chosen, begun);
    String page = report.html("The paper, reproduced");
    Path pictures = Files.createDirectories(out.resolve("pictures"));
    for (Map.Entry<String, String> picture : report.pictures().entrySet())
      AtomicFile.write(
          pictures.resolve(picture.getKey()), picture.getValue().getBytes(StandardCharsets.UTF_8));
    AtomicFile.write(out.resolve("report.md"), report.markdown().getBytes(StandardCharsets.UTF_8));
    AtomicFile.write(out.resolve("results.json"), json(bench, begun, report));
    Path file = out.resolve("report.html");
    AtomicFile.write(file, page.getBytes(StandardCharsets.UTF_8));
    return new Outcome(file, report.empty(), report.red());
  }

  private static void work(Bench bench, List<Cell> cells, PrintWriter log) throws IOException {
    double left = 0;
    List<Cell> open = new ArrayList<>();
    for (Cell cell : cells)
      if (!bench.recall(cell)) {
        open.add(cell);
        left += cell.seconds();
      }
    if (open.size() < cells.size())
      log.printf(
          Locale.ROOT,
          "%d of %d pieces were done before%n",
          cells.size() - open.size(),
          cells.size());
    long start = System.nanoTime();
    double done = 0;
    for (int i = 0; i < open.size(); i++) {
      Cell cell = open.get(i);
      // expected times are those of one machine; the pace of this one becomes known as it runs
      double pace = done > 0 ? (System.nanoTime() - start) * 1e-9 / done : 1;
      log.printf(
          Locale.ROOT,
          "[%d/%d] %s; about %s left%n",
          i + 1,
          open.size(),
          cell.title(),
          duration(pace * left));
      log.flush();
      try {
        bench.run(cell, text -> log.println("        " + text));
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(cell.title() + ": " + e.getMessage(), e);
      }
      done += cell.seconds();
      left -= cell.seconds();
    }
  }

  static String duration(double seconds) {
    long whole = Math.round(seconds);
    if (whole < 90) return whole + " s";
    long minutes = Math.round(seconds / 60);
    return minutes < 90 ? minutes + " min" : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }

  private Report report(Bench bench, List<Experiment> chosen, Instant begun) {
    Report report = new Report();
    report.title("Constant-time predictive distributions, reproduced");
    report.words(
        "The tables and figures of Pleiss, Gardner, Weinberger and Wilson, Constant-Time Predictive"
            + " Distributions for Gaussian Processes (ICML 2018), made again by Lovelace. The paper's"
            + " figures are next to ours. Speedups are ratios of times within this run. Absolute"
            + " times are those of the machine named here. The paper used an NVIDIA GTX 1070.");
    report.point("Command: `%s`".formatted(command));
    report.point("Machine: " + Machine.line(Machine.describe()));
    report.point(
        "Data: "
            + (data == null
                ? "synthetic sets with the shapes of the paper's, labelled “synthetic”; pass --data for"
                    + " the sets themselves"
                : "the sets in `%s`, split 0".formatted(data)));
    report.point(
        "Size: %s%s"
            .formatted(
                size.name(),
                size.full()
                    ? ""
                    : String.format(
                        Locale.ROOT,
                        ", smaller than the paper's (the largest set has %,d rows); figures are for orientation",
                        size.rows())));
    report.point(
        "Build: "
            + bench.builds().entrySet().stream()
                .map(
                    e ->
                        String.format(Locale.ROOT, "`%s` made %d pieces", e.getKey(), e.getValue()))
                .collect(Collectors.joining(", "))
            + "; the same name is the same code");
    report.point(
        String.format(
            Locale.ROOT, "Seed: %d. Date: %s", Bench.SEED, begun.truncatedTo(ChronoUnit.SECONDS)));
    report.point(
        "Green means at least as good as the paper's figure. Red (bold if there are no colours) means not as"
            + " good; the text under the table counts these and gives known reasons. No colour means that"
            + " there is nothing in the paper to compare with, or that it is a baseline. An empty cell is a number that we failed to compute.");
    for (Experiment experiment : chosen) experiment.report(bench, report);
    return report;
  }

  private byte[] json(Bench bench, Instant begun, Report report) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("command", command);
    all.set("machine", Machine.describe());
    all.put("begun", begun.toString());
    all.put("ended", Instant.now().toString());
    all.put("size", size.name());
    all.put("sizes", size.toString());
    all.put("data", data == null ? "synthetic" : data.toString());
    all.put("seed", Bench.SEED);
    report.empty().forEach(all.putArray("empty")::add);
    report.red().forEach(all.putArray("red")::add);
    all.set("results", bench.findings());
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
