package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Spellings of version 0.1 do what they did, say how they are spelled now, and are in no help.
class OldSpellingsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          predict m t --noise --out p      | predict m t --of observation --out p
          sample m t --draws 3 --noise     | sample m t --draws 3 --of observation
          plot m --noise --out p.png       | plot m --of observation --out p.png
          map m --noise --out p.tif        | map m --of observation --out p.tif
          export m --noise --out m.onnx    | export m --of observation --out m.onnx
          --threads 3 predict m t --noise  | --threads 3 predict m t --of observation
          update m t --out n               | update m t --model n
          update m t --out=n               | update m t --model n
          merge a b --out c                | merge a b --model c
          optimize --noise learn           | optimize --noise-sd learn
          optimize --noise=0.1             | optimize --noise-sd 0.1
          optimize --json r.json           | optimize --out r.json
          optimize --json=r.json           | optimize --out r.json
          bench cases d --json -           | bench cases d --json
          bench cases d --json=-           | bench cases d --json
          bench map d --json r.json        | bench map d --out r.json
          bench tables d --model auto      | bench tables d --method auto
          """)
  void oldWordsBecomeNewOnes(String old, String renewed) {
    List<String> remarks = new ArrayList<>();
    assertEquals(renewed, String.join(" ", renew(old, remarks)));
    assertEquals(1, remarks.size(), remarks::toString);
    assertTrue(remarks.getFirst().contains("is now spelled --"), remarks::toString);
    // what is new stays as it is
    remarks.clear();
    assertArrayEquals(renewed.split(" ", -1), renew(renewed, remarks));
    assertEquals(List.of(), remarks);
  }

  /// Words that only look like an old option.
  @ParameterizedTest
  @CsvSource({
    "fit t --set noise=1 --model m",
    "bench cases --json d",
    "inspect --json m.json",
    "fit t --target --noise --model m",
    "predict m -- --noise",
    "evaluate m t --noise-sd s"
  })
  void otherWordsStay(String line) {
    List<String> remarks = new ArrayList<>();
    assertEquals(line, String.join(" ", renew(line, remarks)));
    assertEquals(List.of(), remarks);
  }

  private static String[] renew(String line, List<String> remarks) {
    return OldSpellings.renew(Main.all(), line.split(" ", -1), remarks::add);
  }

  @Test
  void oldSpellingsWorkWithARemarkThatQuietLeavesOut() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("t.csv", Trial.wave(0, 30));
    trial.ok(
        "fit @t.csv --target y --no-train --grid 20 --set lengthscale=1 --set outputscale=1"
            + " --set noise=0.1 --set mean=0 --model @m.lvl");
    String expected = trial.ok("predict @m.lvl @t.csv --of observation");
    assertEquals("", trial.err());
    assertEquals(expected, trial.ok("predict @m.lvl @t.csv --noise"));
    assertEquals(
        "lovelace: --noise is now spelled --of observation; version 0.2 will not know the old"
            + " spelling"
            + System.lineSeparator(),
        trial.err());
    assertEquals(expected, trial.ok("predict @m.lvl @t.csv --noise --quiet"));
    assertEquals("", trial.err());
    trial.ok("update @m.lvl @t.csv --out @u.lvl");
    assertTrue(trial.err().contains("--model"), trial.err());
    assertTrue(Files.exists(trial.file("u.lvl")));
    trial.ok("optimize --function branin --budget 2 --initial 2 --noise 0 --json @r.json --out @p");
    assertTrue(trial.err().contains("--noise-sd 0"), trial.err());
    assertTrue(Files.exists(trial.file("r.json")));
  }

  @Test
  void helpHasNewSpellingsOnly() {
    for (String command : List.of("predict", "sample", "plot", "map", "export", "optimize")) {
      String help = new Trial(folder).ok(command + " --help");
      assertFalse(help.matches("(?s).*--noise[ =,\\n].*"), help);
    }
    assertFalse(new Trial(folder).ok("update --help").contains("--out="));
  }
}
