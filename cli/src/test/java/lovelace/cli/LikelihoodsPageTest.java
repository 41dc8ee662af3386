package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The output that docs/likelihoods.md shows.
class LikelihoodsPageTest {

  @TempDir private Path folder;

  @Test
  void everyCommandOfThePageWorks() throws Exception {
    List<String> blocks =
        Stream.of(Files.readString(Path.of("../docs/likelihoods.md")).split("```sh\n", -1))
            .skip(1)
            .map(part -> part.substring(0, part.indexOf("```")))
            .toList();
    assertEquals(3, blocks.size());
    for (String block : blocks) {
      int first = block.indexOf("lovelace fit");
      Process script =
          new ProcessBuilder("sh", "-c", block.substring(0, first))
              .directory(folder.toFile())
              .inheritIO()
              .start();
      assertEquals(0, script.waitFor());
      Trial trial = new Trial(folder);
      for (String line : block.substring(first).lines().toList())
        trial.ok(line.replaceFirst("^lovelace ", "").replaceAll(" (\\w+\\.(csv|lvl))", " @$1"));
    }
    List<String> counts = lines("counts.csv");
    assertEquals(41, counts.size());
    assertTrue(counts.getFirst().endsWith("mean,variance,lower,upper,q0.1,q0.5,q0.9,outside"));
    assertTrue(lines("draws.csv").getFirst().endsWith(",draw19,draw20"));
    assertEquals(51, lines("probabilities.csv").size());
    assertEquals(121, lines("bands.csv").size());
  }

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(folder.resolve(name));
  }
}
