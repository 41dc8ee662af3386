package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ForkJoinTask;
import lovelace.data.Trust.UntrustedCodeException;
import lovelace.linear.Blas;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Command(name = "probe")
  private record Probe(Callable<Integer> body) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      return body.call();
    }
  }

  private int run(Callable<Integer> body, String... args) {
    return Main.run(
        List.of(new Probe(body)), new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private int run(String... args) {
    return run(() -> 0, args);
  }

  private static Callable<Integer> failing(Exception e) {
    return () -> {
      throw e;
    };
  }

  @Test
  void versionComesFromTheBuild() {
    assertEquals(0, run("--version"));
    assertTrue(out.toString().startsWith("lovelace 0."), out::toString);
    assertTrue(out.toString().contains(Runtime.version().toString()), out::toString);
    assertTrue(out.toString().contains(Blas.provider()), out::toString);
  }

  @Test
  void codeThatIsNotTrustedNamesTheOption() {
    var cause = new UntrustedCodeException("a TorchScript module");
    var e = new IllegalArgumentException("'m.lvl' is not loaded: " + cause.getMessage(), cause);
    assertEquals(2, run(failing(e), "probe"));
    assertTrue(err.toString().contains("option --trust-code"), err::toString);
  }

  @Test
  void helpNamesTheCommandsAndTheExitCodes() {
    assertEquals(0, run("--help"));
    assertTrue(out.toString().contains("probe"), out::toString);
    assertTrue(out.toString().contains("130"), out::toString);
    assertEquals("", err.toString());
  }

  /// Commands are found by a name that stands beside their class, not by their annotations.
  @Test
  void everyCommandHasTheNameThatItIsFoundBy() {
    var commands = Main.all().getSubcommands();
    assertTrue(commands.size() > 15);
    assertEquals(0, run("--help"));
    commands.forEach(
        (name, command) -> {
          Command annotation =
              command.getCommandSpec().userObject().getClass().getAnnotation(Command.class);
          assertEquals(name, annotation.name());
          String line = "  %-10s".formatted(name);
          assertTrue(out.toString().lines().anyMatch(l -> l.startsWith(line)), name);
        });
  }

  @Test
  void optionsMayStandBeforeTheCommand() {
    for (String[] args :
        new String[][] {
          {"--threads", "2", "fit", "--help"},
          {"--threads=2", "--stacktrace", "fit", "--help"},
          {"fit", "--threads", "2", "--help"}
        }) {
      assertEquals(0, run(args), err::toString);
      assertTrue(out.toString().contains("--kernel"), out::toString);
      out.getBuffer().setLength(0);
    }
    assertEquals(0, run("fit", "--version"));
    assertTrue(out.toString().startsWith("lovelace 0."), out::toString);
  }

  @Test
  void helpIsACommandToo() {
    assertEquals(0, run("--help"));
    String all = out.toString();
    out.getBuffer().setLength(0);
    assertEquals(0, run("help"), err::toString);
    assertEquals(all, out.toString());
    assertTrue(all.contains("  help "), all);
    for (String command : List.of("fit", "bench map")) {
      out.getBuffer().setLength(0);
      assertEquals(0, run((command + " --help").split(" ", -1)));
      String own = out.toString();
      out.getBuffer().setLength(0);
      assertEquals(0, run(("help " + command).split(" ", -1)), err::toString);
      assertEquals(own, out.toString());
    }
    assertEquals("", err.toString());
    assertEquals(2, run("help", "fti"));
    assertTrue(err.toString().contains("unknown command 'fti'"), err::toString);
    assertTrue(err.toString().contains("Did you mean 'fit'?"), err::toString);
  }

  /// The list of commands shows the first line of each description.
  @Test
  void firstLineOfADescriptionIsASentence() {
    Main.all()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              String first = command.getCommandSpec().usageMessage().description()[0];
              assertTrue(first.endsWith("."), () -> name + ": " + first);
              command
                  .getSubcommands()
                  .forEach(
                      (below, each) -> {
                        String line = each.getCommandSpec().usageMessage().description()[0];
                        assertTrue(line.endsWith("."), () -> name + " " + below + ": " + line);
                      });
            });
  }

  @Test
  void helpOfFitSaysNothingOfBench() {
    assertEquals(0, run("fit", "--help"));
    assertFalse(out.toString().contains("bench"), out::toString);
    String said = out.toString().replaceAll("\\s+", " ");
    assertTrue(said.contains("60% of the machine's memory"), said);
    for (String command : List.of("bench map", "bench kriging", "bench tables")) {
      out.getBuffer().setLength(0);
      assertEquals(0, run((command + " --help").split(" ", -1)));
      String usual = command.endsWith("tables") ? "3g" : "4g";
      String words = out.toString().replaceAll("\\s+", " ");
      assertTrue(words.contains("800mb (default: " + usual + ")."), words);
    }
  }

  @Test
  void nothingAskedShowsHelpAndIsWrongUse() {
    assertEquals(2, run());
    assertTrue(err.toString().contains("Usage: lovelace"), err::toString);
  }

  @Test
  void unknownCommandSuggestsTheNearest() {
    assertEquals(2, run("prboe", "x.csv"));
    assertTrue(err.toString().contains("unknown command 'prboe'"), err::toString);
    assertTrue(err.toString().contains("Did you mean 'probe'?"), err::toString);
  }

  @Test
  void unknownOptionSuggestsTheNearest() {
    assertEquals(2, run("probe", "--thread=3"));
    assertTrue(err.toString().contains("unknown option '--thread=3'"), err::toString);
    assertTrue(err.toString().contains("Did you mean '--threads'?"), err::toString);
    assertTrue(err.toString().contains("'lovelace probe --help'"), err::toString);
  }

  @Test
  void badInputPrintsItsMessageOnly() {
    assertEquals(2, run(failing(new IllegalArgumentException("depth must be > 0")), "probe"));
    assertEquals("lovelace: depth must be > 0" + System.lineSeparator(), err.toString());
  }

  @Test
  void missingFileIsNamed() {
    assertEquals(2, run(failing(new NoSuchFileException("data.csv")), "probe"));
    assertTrue(err.toString().contains("there is no file 'data.csv'"), err::toString);
  }

  @Test
  void failureSaysHowToSeeWhere() {
    assertEquals(1, run(failing(new IllegalStateException("lost")), "probe"));
    assertTrue(err.toString().startsWith("lovelace: lost"), err::toString);
    assertTrue(err.toString().contains("--stacktrace"), err::toString);
    assertFalse(err.toString().contains("\tat "), err::toString);
  }

  @Test
  void stacktraceShowsWhere() {
    assertEquals(1, run(failing(new IllegalStateException("lost")), "probe", "--stacktrace"));
    assertTrue(err.toString().contains("\tat lovelace.cli"), err::toString);
  }

  @Test
  void errorsOfTheMachineAreReportedToo() {
    Callable<Integer> body =
        () -> {
          throw new OutOfMemoryError("Java heap space");
        };
    assertEquals(1, run(body, "probe"));
    assertEquals(1, run(body, "--threads=2", "probe"));
    assertTrue(err.toString().contains("LOVELACE_JAVA_OPTS"), err::toString);
  }

  @Test
  void interruptionIs130() {
    assertEquals(130, run(failing(new CancellationException()), "probe"));
  }

  @Test
  void threadsLimitTheCommand() {
    Callable<Integer> parallelism = () -> 10 + ForkJoinTask.getPool().getParallelism();
    assertEquals(13, run(parallelism, "--threads", "3", "probe"));
    assertEquals(11, run(parallelism, "probe", "--threads=1"));
    assertEquals(2, run(parallelism, "--threads", "-1", "probe"));
    assertTrue(
        err.toString().contains("--threads must lie between 1 and 1,024, got -1"), err::toString);
    assertEquals(2, run(failing(new IllegalArgumentException("x")), "--threads=2", "probe"));
  }

  @Test
  void nearestIsSilentWhenNothingIsNear() {
    assertNull(Nearest.of("predict", List.of("fit", "demo")));
    assertEquals("predict", Nearest.of("pred", List.of("fit", "predict")));
    assertEquals(1, Nearest.edits("dmeo", "demo"));
  }

  /// picocli writes what it cannot format to standard error, and prints it raw.
  @Test
  void helpOfEveryCommandCanBeFormatted() {
    PrintStream before = System.err;
    var bytes = new ByteArrayOutputStream();
    try {
      System.setErr(new PrintStream(bytes, true, UTF_8));
      for (String command : List.of("fit", "compare", "sample", "plot", "serve", "optimize"))
        assertEquals(
            0,
            Main.run(new PrintWriter(out, true), new PrintWriter(err, true), command, "--help"),
            command);
    } finally {
      System.setErr(before);
    }
    assertEquals("", bytes.toString(UTF_8));
  }
}
