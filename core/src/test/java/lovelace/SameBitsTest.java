package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Thousands of small models say what they said before, to the bit: of every way, with every
/// wrapper, after every verb.
///
/// The file `same-bits.tsv` has a line for each: its name, then a hash for each
/// [part][ModelPrint.Part], or `refused` and a hash of the message. If a change of results is
/// meant, write the file anew with `-Dlovelace.samebits=write`. All texts of a run are in
/// `target/same-bits.txt`. To see what moved, compare that file with the one from the commit
/// before.
class SameBitsTest {

  private static final Path STORED = Path.of("src/test/resources/lovelace/same-bits.tsv");
  private static final Path FOUND = Path.of("target/same-bits.tsv");
  private static final Path TEXTS = Path.of("target/same-bits.txt");
  private static final int SHOWN = 60;

  @Test
  void smallModelsSayWhatTheySaidBefore() throws IOException, InterruptedException {
    Files.createDirectories(Objects.requireNonNull(FOUND.getParent()));
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-XX:ActiveProcessorCount=1",
            // the functions of Math in the one version that all machines share
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-UseLibmIntrinsic",
            "-Dlovelace.blas=java",
            "-cp",
            System.getProperty("java.class.path"),
            SameBits.class.getName(),
            FOUND.toString(),
            TEXTS.toString());
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    if ("write".equals(System.getProperty("lovelace.samebits"))) {
      Files.copy(FOUND, STORED, StandardCopyOption.REPLACE_EXISTING);
      return;
    }
    List<String> moved = moved(lines(STORED), lines(FOUND));
    assertTrue(moved.isEmpty(), () -> told(moved));
  }

  private static Map<String, List<String>> lines(Path file) throws IOException {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      List<String> fields = Arrays.asList(line.split("\t"));
      lines.put(fields.getFirst(), fields.subList(1, fields.size()));
    }
    return lines;
  }

  /// The names of lines that differ, each with the parts that do.
  private static List<String> moved(
      Map<String, List<String>> stored, Map<String, List<String>> found) {
    List<String> moved = new ArrayList<>();
    new TreeMap<>(stored)
        .forEach(
            (name, before) -> {
              List<String> now = found.get(name);
              if (now == null) moved.add(name + ": is no longer made");
              else if (!now.equals(before)) moved.add(name + ": " + parts(before, now));
            });
    for (String name : found.keySet())
      if (!stored.containsKey(name)) moved.add(name + ": is not in the file");
    return moved;
  }

  private static String parts(List<String> stored, List<String> found) {
    boolean was = stored.size() == 2;
    boolean is = found.size() == 2;
    if (was && is) return "is refused in other words";
    if (was || is) return was ? "is no longer refused" : "is refused now";
    List<String> parts = new ArrayList<>();
    for (ModelPrint.Part part : ModelPrint.Part.values()) {
      int field = parts.size();
      parts.add(stored.get(field).equals(found.get(field)) ? "" : part.toString());
    }
    parts.removeIf(String::isEmpty);
    return String.join(", ", parts);
  }

  private static String told(List<String> moved) {
    return moved.size()
        + " models say something else; the texts are in core/"
        + TEXTS
        + "\n"
        + moved.stream().limit(SHOWN).collect(Collectors.joining("\n"))
        + (moved.size() > SHOWN ? "\n…" : "");
  }
}
