package lovelace.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import lovelace.cli.Main;

/// A shell whose `lovelace` and `curl` run in this JVM, which saves a start of Java for every
/// command. They are scripts on the PATH that leave their words in a folder, say so through a pipe,
/// and wait. `lovelace serve` becomes a process of its own, in the background, on a free port.
final class Shell implements AutoCloseable {

  private static final String SCRIPT =
      """
      #!/bin/sh
      call=$(mktemp -d 'CALLS/XXXXXX') && mkfifo "$call/done" || exit
      name=${0##*/}
      for word in "$name" "$@"; do
        [ "$word" != - ] || cat >"$call/in"
        printf '%s\\0' "$word"
      done >"$call/words"
      echo "$call" >'CALLS/queue'
      read -r code <"$call/done"
      [ ! -e "$call/out" ] || cat "$call/out"
      [ ! -e "$call/err" ] || cat "$call/err" >&2
      [ "$code" != 0 ] || [ -z "${STAYS:-}" ] || exec sleep 1000
      exit "$code"
      """;

  private static final Pattern COMMAND =
      Pattern.compile("\\s*(?:\\w+=\\S*\\s+)*((?:\\./)?lovelace .*)");

  private final Path here;
  private final Path calls;
  private final Thread answering;
  private final List<Process> servers = new ArrayList<>();
  private final Map<String, String> addresses = new HashMap<>();
  private volatile boolean parsing;

  /// A shell in the folder in which this JVM runs.
  ///
  /// @param calls an empty folder for its own use
  Shell(Path calls) throws IOException, InterruptedException {
    this.here = Path.of("").toAbsolutePath();
    this.calls = calls;
    for (String name : List.of("lovelace", "curl")) {
      Path script =
          Files.writeString(calls.resolve(name), SCRIPT.replace("CALLS", calls.toString()));
      if (!script.toFile().setExecutable(true)) throw new IOException("not executable: " + script);
    }
    new ProcessBuilder("mkfifo", calls.resolve("queue").toString()).start().waitFor();
    answering = new Thread(this::answer, "commands of pages");
    answering.setDaemon(true);
    answering.start();
  }

  /// Runs a script, and stops at the first command that fails.
  ///
  /// @return what it said, where it failed
  String run(String script) throws IOException, InterruptedException {
    Path log = calls.resolve("log");
    // one that is sent to the background can be stopped by its number
    String text =
        script.replaceAll("(?m)^(\\s*)((\\./)?lovelace serve\\b.*&\\s*)$", "$1STAYS=yes $2");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-e", "-c", text)
            .directory(here.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(new File("/dev/null"));
    // what a page puts into ~/.local/bin comes first
    String first = here.resolve(".local/bin") + ":" + calls;
    builder.environment().merge("PATH", first, (path, own) -> own + ":" + path);
    String home = builder.environment().put("HOME", here.toString());
    builder.environment().put("OWN_HOME", home == null ? "" : home);
    builder.environment().put("ROOT", Repository.ROOT.toString());
    builder.environment().put("LONG", Boolean.getBoolean("lovelace.long") ? "yes" : "");
    Process process = builder.start();
    int code = process.waitFor();
    return code == 0 ? "" : "exit code %s\n%s".formatted(code, Files.readString(log));
  }

  /// Reads the commands of a script without running them: unknown options and missing ones fail.
  String parse(String script) throws IOException, InterruptedException {
    parsing = true;
    try {
      for (String line : script.replaceAll("\\\\\n\\s*", " ").lines().toList()) {
        var command = COMMAND.matcher(line);
        if (!command.matches()) continue;
        String said =
            run(command.group(1).replaceFirst("^\\./", "").replaceFirst(" (\\||>|&&|;|&).*", ""));
        if (!said.isEmpty()) return line + "\n" + said;
      }
      return "";
    } finally {
      parsing = false;
    }
  }

  private void answer() {
    try {
      while (true)
        for (String call : Files.readAllLines(calls.resolve("queue"))) answer(Path.of(call));
    } catch (IOException e) {
      // the folder is gone, and so is the shell
    }
  }

  private void answer(Path call) throws IOException {
    List<String> words = List.of(Files.readString(call.resolve("words")).split("\0", -1));
    words = words.subList(0, words.size() - 1);
    int code;
    InputStream before = System.in;
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(call.resolve("out")));
        PrintWriter err = new PrintWriter(Files.newBufferedWriter(call.resolve("err")))) {
      Path in = call.resolve("in");
      System.setIn(
          Files.exists(in) ? Files.newInputStream(in) : new ByteArrayInputStream(new byte[0]));
      code = run(words, out, err);
    } finally {
      System.setIn(before);
    }
    Files.writeString(call.resolve("done"), code + "\n");
  }

  private int run(List<String> words, PrintWriter out, PrintWriter err) {
    List<String> arguments = words.subList(1, words.size());
    try {
      if (words.getFirst().equals("curl")) return Curl.run(addresses, out, err, words);
      if (parsing) {
        Main.all()
            .setCaseInsensitiveEnumValuesAllowed(true)
            .parseArgs(arguments.toArray(String[]::new));
        return 0;
      }
      if (arguments.contains("serve") && !arguments.contains("--help"))
        return serve(arguments, out);
      return Main.run(out, err, arguments.toArray(String[]::new));
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace(err);
      return 1;
    }
  }

  /// Starts a server on a port of its own, and returns when it answers.
  private int serve(List<String> arguments, PrintWriter out)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "lovelace.cli.Main"));
    command.addAll(arguments);
    int option = command.indexOf("--port");
    String port = option < 0 ? "8080" : command.get(option + 1);
    if (option < 0) command.addAll(List.of("--port", "0"));
    else command.set(option + 1, "0");
    Process server =
        new ProcessBuilder(command)
            .directory(here.toFile())
            .redirectError(calls.resolve("server.log").toFile())
            .start();
    servers.add(server);
    String said = server.inputReader(UTF_8).readLine();
    if (said == null) {
      out.print(Files.readString(calls.resolve("server.log")));
      return server.waitFor();
    }
    addresses.put(port, said.strip().replaceFirst("/$", ""));
    out.println(said);
    return 0;
  }

  /// Stops the servers; the folder is cleared for the next page.
  @Override
  public void close() {
    for (Process server : servers) {
      server.destroy();
      server.onExit().join();
    }
    servers.clear();
    addresses.clear();
  }

  static {
    Locale.setDefault(Locale.ROOT); // as the command does
  }
}
