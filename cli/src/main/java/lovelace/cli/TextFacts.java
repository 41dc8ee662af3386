package lovelace.cli;

import java.util.SortedSet;
import java.util.TreeSet;

/// What a column of text holds.
final class TextFacts {

  /// The most words of a column that is learned from.
  static final int MOST = 50;

  /// Values after which it is clear what a column holds that has more words than that.
  private static final int CLEAR = 1000;

  private final String name;
  private final SortedSet<String> words = new TreeSet<>();
  private long present = 0;
  private long missing = 0;
  private long numbers = 0;

  TextFacts(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  void see(String value) {
    present++;
    if (Relation.isNumber(value)) numbers++;
    if (words.size() <= MOST) words.add(value);
  }

  void seeMissing() {
    missing++;
  }

  /// Whether more rows would tell nothing more.
  boolean isClear() {
    return words.size() > MOST && present >= CLEAR;
  }

  /// The words in their order; one more than [#MOST] where there are too many.
  SortedSet<String> words() {
    return words;
  }

  boolean tooMany() {
    return words.size() > MOST;
  }

  boolean hasMissing() {
    return missing > 0;
  }

  /// Whether most words stand in several rows, as they do in no column of names or numbers of
  /// things.
  boolean repeats() {
    return 2L * words.size() <= present;
  }

  /// Whether these are numbers with some that cannot be read.
  boolean nearlyNumbers() {
    return tooMany() && numbers >= 0.95 * present;
  }
}
