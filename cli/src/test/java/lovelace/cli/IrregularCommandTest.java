package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `lovelace forecast` where times lie on no regular steps.
class IrregularCommandTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    var random = new SplittableRandom(3);
    StringBuilder rows = new StringBuilder("patient,seen,weight\n");
    for (int p = 0; p < 2; p++) {
      LocalDateTime time = LocalDateTime.of(2024, 1, 3 + p, 9, 0);
      for (int i = 0; i < 40; i++) {
        rows.append(
            String.format(
                Locale.ROOT, "p%d,%s,%.1f%n", p, time, 70 + 9 * p + 0.5 * random.nextGaussian()));
        time = time.plusMinutes(700 + random.nextInt(20_000));
      }
    }
    trial.write("visits.csv", rows.toString().replace('T', ' '));
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(trial.file(file));
  }

  @Test
  void stepsOfTheMedianGapFollowTheLastValue() throws IOException {
    String said = trial.ok("forecast @visits.csv --horizon 3 --out @f.csv --report @r.json");
    assertTrue(said.contains("frequency   none (the times lie on no regular steps)"), said);
    assertTrue(said.contains("the median gap"), said);
    assertTrue(said.contains("2 by state spaces over the whole history"), said);
    List<String> lines = lines("f.csv");
    assertEquals("patient,seen,median,mean,lo-80,hi-80,lo-95,hi-95", lines.getFirst());
    assertEquals(7, lines.size());
    for (String line : lines.subList(1, 7)) {
      String[] cells = line.split(",", -1);
      double level = cells[0].equals("p0") ? 70 : 79;
      assertEquals(level, Double.parseDouble(cells[2]), 1.5, line);
      assertTrue(Double.parseDouble(cells[6]) < level && Double.parseDouble(cells[7]) > level);
    }
    assertTrue(Files.readString(trial.file("r.json")).contains("\"irregular\""));
  }

  @Test
  void timesOfOnesOwnAreForecastAfterTheLastValueOfEachSeries() throws IOException {
    trial.write("next.csv", "seen\n2026-02-01 10:00\n2024-01-02 08:00\n2026-03-01 12:30\n");
    String said =
        trial.ok(
            "forecast @visits.csv --at @next.csv --draws 20 --draws-out @d.csv --total 2 --out @f.csv");
    assertTrue(said.contains("forecast at 3 times of --at"), said);
    assertTrue(said.contains("1 of the times of --at not after the last value"), said);
    List<String> lines = lines("f.csv");
    assertEquals(5, lines.size());
    assertTrue(lines.get(1).startsWith("p0,2026-02-01 10:00"), lines.get(1));
    assertTrue(lines.get(2).startsWith("p0,2026-03-01 12:30"), lines.get(2));
    assertEquals(1 + 2 * 2 * 20, lines("d.csv").size());
  }

  @Test
  void namedStepsFollowTheCalendar() throws IOException {
    trial.ok("forecast @visits.csv --horizon 2 --step 1M --out @f.csv");
    List<String> times = new ArrayList<>();
    for (String line : lines("f.csv")) times.add(line.split(",", -1)[1]);
    LocalDateTime last =
        LocalDateTime.parse(
            lines("visits.csv").stream()
                .filter(l -> l.startsWith("p0"))
                .reduce((a, b) -> b)
                .orElseThrow()
                .split(",", -1)[1]
                .replace(' ', 'T'));
    assertEquals(last.plusMonths(1), LocalDateTime.parse(times.get(1).replace(' ', 'T')));
    assertEquals(last.plusMonths(2), LocalDateTime.parse(times.get(2).replace(' ', 'T')));
  }

  @Test
  void plainNumbersMayBeAnyToo() throws IOException {
    trial.write("depth.csv", "t,y\n0,1.5\n0.4,2\n1.1,2.2\n1.5,1.8\n2.9,2.1\n3.05,2.4\n");
    String said =
        trial.ok("forecast @depth.csv --time t --target y --frequency irregular --horizon 2");
    assertTrue(said.contains("frequency   none (as given); steps of 0.4"), said);
  }

  @Test
  void optionsThatNeedStepsAreRefused() throws IOException {
    trial.write("bad.csv", "seen\nnever\n");
    for (List<String> wrong :
        List.of(
            List.of("--horizon 3 --from 2024-05-01", "--from counts steps"),
            List.of("--horizon 3 --gaps zero", "--gaps zero needs regular steps"),
            List.of("--horizon 3 --model @m.lvf", "--model keeps regular steps"),
            List.of("--horizon 3 --holidays DE", "columns known in the future need"),
            List.of("--horizon 3 --components @c.csv", "need regular steps"),
            List.of("--horizon 3 --at @bad.csv", "leave out one of the two"),
            List.of("--at @bad.csv --step 1h", "leave out one of the two"),
            List.of("--at @bad.csv", "--at: row 1 of"),
            List.of("--horizon 3 --step 2", "--step is 2, and the times are dates"),
            List.of("--horizon 3 --step soon", "--step"))) {
      String said = trial.refused("forecast @visits.csv " + wrong.getFirst());
      assertTrue(said.contains(wrong.get(1)), said);
    }
    trial.write("regular.csv", "ds,y\n2024-01-01,1\n2024-01-02,2\n2024-01-03,1\n2024-01-04,3\n");
    assertTrue(
        trial.refused("forecast @regular.csv --horizon 1 --step 1h").contains("no regular steps"));
  }
}
