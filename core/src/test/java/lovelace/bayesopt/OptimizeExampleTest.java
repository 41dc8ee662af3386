package lovelace.bayesopt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/// Runs the programs of `docs/optimize.md`, whose text must be that of the methods here.
class OptimizeExampleTest {

  static double latency(double rate, double threads) {
    return Math.pow(Math.log10(rate) + 2, 2) + Math.pow(threads - 6, 2) / 20.0;
  }

  static Tuner.Observation tenLines() {
    // example: ten lines
    SearchSpace space =
        SearchSpace.of(Variable.logReal("rate", 1e-4, 1), Variable.integer("threads", 1, 16));
    Tuner tuner = Tuner.of(space, Tuning.DEFAULT.withBudget(30));
    while (tuner.finished().isEmpty()) {
      SearchSpace.Point p = tuner.ask();
      tuner.tell(p, latency(p.number("rate"), p.number("threads")));
    }
    Tuner.Observation best = tuner.best().orElseThrow();
    // end
    return best;
  }

  @Test
  void tenLinesFindTheFastestSettings() {
    Tuner.Observation best = tenLines();
    assertEquals(6, best.point().number("threads"), 1);
    assertTrue(best.value() < 0.1, best::toString);
  }

  // example: compression
  static Tuner.Observation compression(byte[] text, int budget) {
    SearchSpace space =
        SearchSpace.of(
            Variable.integer("level", 1, 9),
            Variable.logInteger("block", 512, 65536),
            Variable.choice("strategy", "default", "filtered", "huffman"));
    Tuner tuner = Tuner.of(space, Tuning.DEFAULT.withBudget(budget).withConstraints(1));
    while (tuner.finished().isEmpty()) {
      SearchSpace.Point p = tuner.ask();
      long start = System.nanoTime();
      int size = deflate(text, p);
      double milliseconds = (System.nanoTime() - start) / 1e6;
      double share = size / (double) text.length;
      tuner.tell(p, milliseconds, share - 0.40); // the fastest that gets below 40 %
    }
    return tuner.best().orElseThrow();
  }

  static int deflate(byte[] text, SearchSpace.Point p) {
    Deflater deflater = new Deflater(Math.toIntExact(p.integer("level")));
    deflater.setStrategy((int) p.number("strategy")); // default 0, filtered 1, huffman only 2
    byte[] buffer = new byte[1 << 17];
    int block = Math.toIntExact(p.integer("block"));
    int size = 0;
    for (int from = 0; from < text.length; from += block) { // blocks that can be read alone
      deflater.reset();
      deflater.setInput(text, from, Math.min(block, text.length - from));
      deflater.finish();
      while (!deflater.finished()) size += deflater.deflate(buffer);
    }
    deflater.end();
    return size;
  }

  // end

  @Test
  void compressionMeetsItsConstraint() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < 300_000; i++)
      text.append("line ").append(i * 7919L % 104729).append(" of a log that repeats itself\n");
    Tuner.Observation best = compression(text.toString().getBytes(UTF_8), 25);
    assertTrue(best.feasible(), best::toString);
    assertTrue(!best.point().text("strategy").equals("huffman"), best::toString);
  }

  @Test
  void documentationShowsThesePrograms() throws IOException {
    String page = Files.readString(Path.of("../docs/optimize.md"), UTF_8);
    String source =
        Files.readString(
            Path.of("src/test/java/lovelace/bayesopt/OptimizeExampleTest.java"), UTF_8);
    for (String name : new String[] {"ten lines", "compression"}) {
      String marker = "// example: " + name + "\n";
      int from = source.indexOf(marker) + marker.length();
      String program = source.substring(from, source.indexOf("// end", from));
      assertTrue(
          page.replaceAll("(?m)^ +", "").contains(program.strip().replaceAll("(?m)^ +", "")),
          () -> name + " in docs/optimize.md is not the program that is tested:\n" + program);
    }
  }
}
