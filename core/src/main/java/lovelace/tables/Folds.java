package lovelace.tables;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;

/// Rows to learn from and rows held out, once or several times. If there are few rows, several
/// folds hold out different ones. Many rows are split once.
record Folds(List<Fold> all) {

  /// Rows to learn from, and rows held out.
  record Fold(Dataset seen, Dataset out) {}

  /// The share of the rows that is held out.
  private static final int SHARE = 5;

  /// The most rows that are held out.
  private static final int MOST = 2000;

  /// The fewest rows that are held out in all, if there are enough.
  private static final int ENOUGH = 200;

  /// The folds of some rows, by a seed.
  static Folds of(Dataset rows, long seed) {
    int n = rows.size();
    int[] order = shuffled(n, seed);
    int size = size(n);
    int count = count(n);
    List<Fold> all = new ArrayList<>();
    for (int fold = 0; fold < count; fold++) {
      int from = fold * size;
      int to = from + size;
      int[] out = IntStream.range(from, to).map(i -> order[i]).sorted().toArray();
      int[] seen =
          IntStream.range(0, n)
              .filter(i -> i < from || i >= to)
              .map(i -> order[i])
              .sorted()
              .toArray();
      all.add(new Fold(rows.select(seen), rows.select(out)));
    }
    return new Folds(List.copyOf(all));
  }

  private static int size(long rows) {
    return Math.clamp(rows / SHARE, 1, MOST);
  }

  /// The number of splits of a table.
  static int count(long rows) {
    return Math.clamp(Math.ceilDiv(ENOUGH, size(rows)), 1, SHARE);
  }

  /// The number of rows held out in all folds.
  int size() {
    return all.stream().mapToInt(fold -> fold.out().size()).sum();
  }

  private static int[] shuffled(int n, long seed) {
    int[] order = IntStream.range(0, n).toArray();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = order[i];
      order[i] = order[j];
      order[j] = other;
    }
    return order;
  }
}
