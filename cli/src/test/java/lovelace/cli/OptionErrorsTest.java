package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Messages on wrong arguments name the option, the value, the rule and the remedy.
class OptionErrorsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          predict m.lvl t.csv --interval x      | --interval must be a number, got 'x'; the default is 0.95
          fit t.csv --starts two                | --starts must be a whole number, got 'two'; the default is 1
          fit t.csv --starts 3000000000         | --starts must be at most 2,147,483,647, got '3000000000'; the default is 1
          fit t.csv --seed 99999999999999999999 | --seed must be at most 9,223,372,036,854,775,807, got '99999999999999999999'
          sample m.lvl t.csv --draws many       | --draws must be a whole number, got 'many'
          predict m.lvl t.csv --quantiles 0.1,b | --quantiles must be a number, got 'b'
          predict m.lvl t.csv --of fnction      | --of must be one of function, rate, probability, observation, got 'fnction'; did you mean function?
          fit t.csv --columns as_is2            | --columns must be one of auto, as-is, got 'as_is2'; did you mean as-is?
          sample m.lvl t.csv --method Guess     | --method must be one of auto, love, pathwise, spectral, markov, got 'Guess'
          plot m.lvl                            | --out FILE is missing; add it
          plot                                  | MODEL is missing; add it
          predict                               | MODEL is missing; add it
          predict m.lvl t.csv --out             | --out needs a value; write --out FILE
          predict m.lvl t.csv --out --json      | --out needs a value; write --out FILE
          fit t.csv --target y                  | --model FILE is missing; add it
          predict m.lvl t.csv --json=5          | --json takes no value, got '5'; leave the value out
          predict m.lvl t.csv --drift abc       | --drift must be COLUMN=RASTER, got 'abc'
          predict m.lvl t.csv --of rate --of rate | --of is given more than once; give it once
          plot m.lvl --out=                     | --out must name a file or folder, got an empty text
          --threads x doctor                    | --threads must be a whole number, got 'x'
          predict m.lvl t.csv --quite           | unknown option '--quite'
          sample m.lvl t.csv --samples 3        | unknown option '--samples', and --draws N is missing; add it
          fit t.csv --target y --modle m.lvl    | unknown option '--modle'
          serve m.lvl --port 70000              | --port must lie between 0 and 65535, got 70000
          optimize --function branim --budget 2 --initial 2 --out o | --function must be eggholder, branin
          predict m.lvl t.csv more.csv          | unexpected argument 'more.csv'
          predict m.lvl t.csv --json --out p.csv | --json prints rows on standard output, and --out writes them to 'p.csv'; leave out one of the two
          bench box --out pictures              | --out must name a file that ends in .json, got 'pictures'; write --out results.json
          bench map d --out a --out b           | --out names a second folder, 'b'; name one folder, and files that end in .json
          """)
  void messageNamesOptionValueRuleAndRemedy(String line, String message) {
    Trial trial = new Trial(folder);
    String said = trial.refused(line);
    assertTrue(said.startsWith("lovelace: " + message), said);
    assertEquals("", trial.out());
  }

  @Test
  void unknownOptionIsToldWithASuggestionIfAnotherIsMissing() {
    Trial trial = new Trial(folder);
    String said = trial.refused("sample m.lvl t.csv --samples 3 --quite");
    assertTrue(said.startsWith("lovelace: unknown option '--samples', and --draws N is"), said);
    said = trial.refused("fit t.csv --target y --modle m.lvl");
    assertTrue(said.contains("unknown option '--modle'\nDid you mean '--model'?\n"), said);
  }

  /// Words of another program's messages must not decide what ours say.
  @Test
  void noPatternReadsWhatPicocliSays() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java/lovelace/cli"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        String text = Files.readString(file);
        boolean errors = text.contains("ParameterException");
        assertFalse(errors && text.contains("java.util.regex"), file::toString);
        for (String words : new String[] {"Invalid value for", "Missing required"})
          assertFalse(text.contains(words), () -> file + ": " + words);
      }
    }
  }
}
