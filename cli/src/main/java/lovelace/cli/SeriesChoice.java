package lovelace.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/// Chooses some of many series while they stream past: all of them if they are few enough, and
/// otherwise the most anomalous half and the largest others.
///
/// @param <T> the content of a series
final class SeriesChoice<T> {

  private record Candidate<T>(int number, double size, double anomaly, T content) {}

  private final int most;
  private final PriorityQueue<Candidate<T>> largest =
      new PriorityQueue<>(Comparator.comparingDouble(Candidate::size));
  private final PriorityQueue<Candidate<T>> strangest =
      new PriorityQueue<>(Comparator.comparingDouble(Candidate::anomaly));
  private boolean full;

  /// @param most how many are chosen
  SeriesChoice(int most) {
    this.most = most;
  }

  private int half() {
    return Math.max(1, most / 2);
  }

  private static double known(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /// Whether a series may be among the chosen.
  ///
  /// @param size NaN counts as 0
  /// @param anomaly NaN counts as 0
  boolean wants(double size, double anomaly) {
    return largest.size() < most
        || known(size) > largest.element().size
        || known(anomaly) > strangest.element().anomaly;
  }

  /// Adds a series.
  ///
  /// @param number its place in the order of the result
  void add(int number, double size, double anomaly, T content) {
    Candidate<T> one = new Candidate<>(number, known(size), known(anomaly), content);
    largest.add(one);
    strangest.add(one);
    full |= largest.size() > most;
    if (largest.size() > most) largest.remove();
    if (strangest.size() > half()) strangest.remove();
  }

  /// The chosen, by number.
  List<T> chosen() {
    List<Candidate<T>> all = new ArrayList<>();
    if (full) all.addAll(strangest);
    Set<Integer> there = new HashSet<>();
    for (Candidate<T> each : all) there.add(each.number);
    largest.stream()
        .sorted(Comparator.comparingDouble(Candidate<T>::size).reversed())
        .filter(each -> !there.contains(each.number))
        .limit((long) most - all.size())
        .forEach(all::add);
    return all.stream()
        .sorted(Comparator.comparingInt(Candidate::number))
        .map(Candidate::content)
        .toList();
  }
}
