package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import lovelace.Ladders.Count;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Few places of all modules decide by the engine, the way or the class of a posterior.
///
/// A new engine has to be found in each of them, and a default hides the place from the compiler.
/// The list says how many a file has: switches with a default, checks of classes of posteriors,
/// checks of classes of ways. It may only shrink.
class LaddersTest {

  private static final Map<String, Count> KNOWN = known();

  private static Map<String, Count> known() {
    Map<String, Count> known = new TreeMap<>();
    known.put("lovelace/FitLoop.java", new Count(0, 0, 1));
    known.put("lovelace/bare/Bare.java", new Count(1, 6, 0));
    known.put("lovelace/io/PosteriorLayout.java", new Count(0, 1, 0));
    known.put("lovelace/io/RowsLayout.java", new Count(0, 3, 0));
    known.put("lovelace/online/Online.java", new Count(0, 0, 1));
    known.put("lovelace/way/LatticeLeaf.java", new Count(0, 0, 2));
    known.put("lovelace/way/Ways.java", new Count(1, 6, 1));
    return known;
  }

  @Test
  void laddersGrowNowhere() throws IOException {
    Map<String, Count> found = Ladders.of(Ladders.modules());
    List<String> faults = new ArrayList<>();
    TreeSet<String> files = new TreeSet<>(KNOWN.keySet());
    files.addAll(found.keySet());
    Count none = new Count(0, 0, 0);
    for (String file : files) {
      Count before = KNOWN.getOrDefault(file, none);
      Count now = found.getOrDefault(file, none);
      if (now.equals(before)) continue;
      boolean more =
          now.defaults() > before.defaults()
              || now.posteriors() > before.posteriors()
              || now.ways() > before.ways();
      faults.add(
          file
              + " has "
              + now
              + (more ? ", more than " + before : ", fewer than listed; lower the list"));
    }
    assertTrue(faults.isEmpty(), () -> String.join("\n", faults));
  }

  @Test
  void theCountSeesEveryForm(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("Many.java"),
        """
        class OfRows implements RowPosterior<Data> {} // instanceof OfRows
        sealed interface RowPosterior<D> extends Posterior permits OfRows {}
        record OnRows(Plan plan) implements Planner.Way {}
        class Many {
          Object of(Posterior p, Engine e, Planner.Way way, int n) {
            if (p instanceof OfRows rows && !(p instanceof lovelace.RowPosterior)) return "case OfRows x ->";
            switch (e) {
              case SPARSE, MARKOV: return 1;
              default: return switch (n) { case 1 -> 2; default -> 3; };
            }
            return switch (way) {
              case Planner.OnRows(Plan plan) when n > 2 -> switch (p) {
                case OfRows rows -> 1;
                default -> 2;
              };
              case Planner.OnRows rows -> 3;
            };
          }
        }
        """);
    assertEquals(Map.of("Many.java", new Count(2, 3, 2)), Ladders.of(List.of(folder)));
  }
}
