package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Runs a command of this program in a process of its own, with the same Java and its options. The
/// process ends when this one ends.
///
/// @param code its exit code
/// @param output what it wrote to standard output
record ChildProcess(int code, String output) {

  /// Runs a command to its end. Its standard error goes to `err`, line by line.
  ///
  /// @param memory bytes that it may use, see [Memory]; 0 for the limit of this process
  static ChildProcess run(List<String> arguments, long memory, PrintWriter err)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-D" + Terminal.PROPERTY + "="); // this process reads its output
    if (memory > 0) command.add(Memory.option(memory));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(arguments);
    if (err instanceof Quiet) command.add("--quiet");
    Process process = new ProcessBuilder(command).start();
    AtomicBoolean ending = new AtomicBoolean();
    Thread hook =
        new Thread(
            () -> {
              ending.set(true); // this process says why
              process.destroyForcibly();
            });
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      process.getOutputStream().close();
      Thread remarks =
          Thread.ofPlatform().daemon().start(() -> follow(process, Quiet.errors(err), ending));
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      int code = process.waitFor();
      remarks.join();
      return new ChildProcess(code, output);
    } finally {
      process.destroyForcibly();
      if (!ending.get()) Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private static void follow(Process process, PrintWriter err, AtomicBoolean ending) {
    try (var reader = new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine())
        if (!ending.get()) err.println(line);
    } catch (IOException e) {
      // closed: the process was ended
    }
  }
}
