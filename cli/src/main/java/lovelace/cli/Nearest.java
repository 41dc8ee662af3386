package lovelace.cli;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Finds the name that somebody probably meant.
final class Nearest {

  private Nearest() {}

  /// The name with the fewest edits from `word`; the first of equals wins. Returns null if even
  /// that one is far from it: it differs in more than a third of its letters, and `word` is not its
  /// beginning.
  static @Nullable String of(String word, Collection<String> names) {
    String best = null;
    int least = Integer.MAX_VALUE;
    for (String name : names) {
      int edits = word.length() > 2 && name.startsWith(word) ? 1 : edits(word, name);
      if (edits < least
          && edits < word.length()
          && 3 * edits <= Math.max(3, Math.max(word.length(), name.length()))) {
        least = edits;
        best = name;
      }
    }
    return best;
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours that turn `a` into
  /// `b`.
  static int edits(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + replace);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
