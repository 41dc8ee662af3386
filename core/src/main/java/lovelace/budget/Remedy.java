package lovelace.budget;

import java.util.function.Function;

/// What lets a computation stay within its limits. A message has it in words; a program with
/// options of its own adds which one does it.
public enum Remedy {
  MORE_TIME("give more time"),
  MORE_MEMORY("allow more memory"),
  FEWER_GRID_POINTS("give fewer grid points");

  private final String words;

  Remedy(String words) {
    this.words = words;
  }

  /// In words, for a sentence.
  @Override
  public String toString() {
    return words;
  }

  /// Texts with remedies between them, each with how it is done in brackets unless that is empty.
  static String text(String[] texts, Remedy[] remedies, Function<Remedy, String> how) {
    StringBuilder all = new StringBuilder(texts[0]);
    for (int i = 0; i < remedies.length; i++) {
      String done = how.apply(remedies[i]);
      all.append(remedies[i]).append(done.isEmpty() ? "" : " (" + done + ")").append(texts[i + 1]);
    }
    return all.toString();
  }
}
