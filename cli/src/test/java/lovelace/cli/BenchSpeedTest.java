package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchSpeedTest {

  @TempDir private Path folder;

  @Test
  void answersAreNearTheExactProcess() {
    String out = new Trial(folder).ok("bench speed --rows 1e4 --warmup 0 --json");
    assertTrue(out.contains("\"rows\": 10000") && out.contains("\"predict_ns\""), out);
    // the tolerance of a fit: a hundredth of a variance, a twentieth of a standard deviation
    assertTrue(number("mean_error_in_deviations", out) < 0.05, out);
    assertTrue(number("variance_error", out) < 0.01, out);
  }

  @Test
  void fewerRowsThanTheExactProcessTakesAreRefused() {
    String said = new Trial(folder).refused("bench speed --rows 10");
    assertTrue(said.contains("--rows"), said);
    assertEquals(1, said.strip().lines().count(), said);
  }

  private static double number(String key, String json) {
    Matcher matcher = Pattern.compile("\"" + key + "\": ([-+.eE0-9]+)").matcher(json);
    assertTrue(matcher.find(), json);
    return Double.parseDouble(matcher.group(1));
  }
}
