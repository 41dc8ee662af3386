package lovelace.cli;

import java.util.SortedSet;
import java.util.TreeSet;

/// Facts about a column of text.
final class TextFacts {

  /// The most different words of a column that is learned from.
  static final int MOST = 50;

  /// If a column has more words than that, this many values make its kind clear.
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

  /// Whether more rows would add no information.
  boolean isClear() {
    return words.size() > MOST && present >= CLEAR;
  }

  /// The words in order. If there are too many, one more than [#MOST].
  SortedSet<String> words() {
    return words;
  }

  boolean tooMany() {
    return words.size() > MOST;
  }

  boolean hasMissing() {
    return missing > 0;
  }

  /// Whether most words occur in several rows. In a column of names or identifiers they do not.
  boolean repeats() {
    return 2L * words.size() <= present;
  }

  /// Whether the values are numbers except for some that cannot be read.
  boolean nearlyNumbers() {
    return tooMany() && numbers >= 0.95 * present;
  }
}
