package lovelace.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.budget.Budget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace doctor`: reports what Lovelace runs on, and problems with it.
@Command(
    name = "doctor",
    customSynopsis = {"lovelace doctor [--json] [OPTIONS]"},
    description = {
      "Show what Lovelace runs on, and what is wrong.",
      "Shows its version, Java, native libraries, threads, memory and folders. Tries each "
          + "native library. Lists what is wrong, and how to fix it.",
      "",
      "The exit code is 0 if nothing is wrong, and 1 otherwise.",
      "",
      "Examples:",
      "  lovelace doctor",
      "  lovelace doctor --json"
    })
final class DoctorCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--json",
      description = "Print the results as JSON on standard output, and nothing else there.")
  private boolean json = false;

  private final Surroundings here;

  /// Used by picocli.
  DoctorCommand() {
    this(new Surroundings());
  }

  DoctorCommand(Surroundings here) {
    this.here = here;
  }

  @Override
  public Integer call() {
    Doctor doctor = Doctor.examine(here);
    PrintWriter out = spec.commandLine().getOut();
    if (json) out.println(Json.of(json(doctor)));
    else print(doctor, out);
    return doctor.problems().isEmpty() ? 0 : Errors.FAILURE;
  }

  private static Map<String, Object> json(Doctor doctor) {
    Map<String, Object> all = new LinkedHashMap<>(doctor.facts());
    all.put(
        "problems",
        doctor.problems().stream()
            .map(problem -> Map.of("what", problem.what(), "remedy", problem.remedy()))
            .toList());
    return all;
  }

  private static void print(Doctor doctor, PrintWriter out) {
    Facts of = new Facts(doctor.facts());
    String launcher = of.text("lovelace", "launcher");
    line(
        out,
        "lovelace",
        "%s, %s",
        of.text("lovelace", "version"),
        launcher.isEmpty() ? "started without its launcher" : launcher);
    line(out, "system", "%s", of.text("lovelace", "system"));
    line(
        out,
        "java",
        "%s, %s, in %s",
        of.text("java", "version"),
        of.text("java", "vendor"),
        of.text("java", "home"));
    line(out, "blas", "%s", blas(of));
    line(out, "duckdb", "%s", library(of, "duckdb"));
    line(
        out,
        "networks",
        "%s",
        of.is("networks", "installed")
            ? library(of, "networks")
            : "not installed; only --deep needs them");
    line(out, "threads", "%s, one per core; --threads N changes it", of.text("threads", "cores"));
    line(
        out,
        "memory",
        "heap up to %s; the machine has %s%s",
        of.size("memory", "heap_limit_bytes"),
        of.size("memory", "machine_bytes"),
        of.text("memory", "container_limit_bytes").isEmpty()
            ? ""
            : ", the container allows " + of.size("memory", "container_limit_bytes"));
    line(
        out,
        "start-up",
        "%s",
        of.is("start_up", "cache_used")
            ? "with the cache " + of.text("start_up", "cache")
            : "without a cache of loaded classes, so commands start slower;"
                + " LOVELACE_TASK=build lovelace makes one");
    line(
        out,
        "temporary",
        "%s, %s",
        of.text("temporary", "folder"),
        of.is("temporary", "writable")
            ? of.size("temporary", "free_bytes") + " free"
            : "not writable");
    line(
        out,
        "text",
        "file names in %s, locale %s",
        of.text("text", "file_names"),
        of.text("text", "locale"));
    out.println();
    List<Doctor.Problem> problems = doctor.problems();
    if (problems.isEmpty()) out.println("Nothing is wrong.");
    for (Doctor.Problem problem : problems) out.println("Wrong: " + problem);
  }

  private static String blas(Facts of) {
    if (!of.text("blas", "provider").equals("openblas"))
      return "plain Java: " + of.text("blas", "why");
    StringBuilder text =
        new StringBuilder(
            of.text("blas", "build").isEmpty() ? "OpenBLAS" : of.text("blas", "build"));
    if (!of.text("blas", "kernels").isEmpty())
      text.append(", kernels for ").append(of.text("blas", "kernels"));
    return text + from(of, "blas");
  }

  private static String library(Facts of, String name) {
    String failure = of.text(name, "failure");
    if (!failure.isEmpty()) return "does not work: " + failure;
    return (name.equals("networks") ? "PyTorch " : "") + of.text(name, "version") + from(of, name);
  }

  private static String from(Facts of, String name) {
    String file = of.text(name, "library");
    return file.isEmpty() ? "" : ", from " + file;
  }

  private static void line(PrintWriter out, String name, String format, Object... values) {
    ModelReport.line(out, name, format, values);
  }

  /// The facts, as texts.
  private record Facts(Map<String, Map<String, @Nullable Object>> all) {

    private @Nullable Object get(String of, String name) {
      return all.getOrDefault(of, Map.of()).get(name);
    }

    String text(String of, String name) {
      Object value = get(of, name);
      return value == null ? "" : value.toString();
    }

    boolean is(String of, String name) {
      return Boolean.TRUE.equals(get(of, name));
    }

    String size(String of, String name) {
      return get(of, name) instanceof Long bytes ? Budget.text(bytes) : "unknown";
    }
  }
}
