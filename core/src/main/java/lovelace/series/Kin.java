package lovelace.series;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Histories of one length. They share every factor.
///
/// @param places their places in the list that they are from
@SuppressWarnings("ArrayRecordComponent")
record Kin(List<History> histories, int[] places) {

  /// How many numbers of columns that are known are whitened together, at most.
  private static final long MOST = 4_000_000;

  /// The number of values of each.
  int length() {
    return histories.getFirst().size();
  }

  /// Histories by length, short ones first.
  static List<Kin> of(List<History> histories) {
    return of(histories, history -> true);
  }

  /// Those of some histories for which a test holds.
  static List<Kin> of(List<History> histories, Predicate<History> wanted) {
    Map<Integer, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < histories.size(); i++) {
      History h = histories.get(i);
      if (wanted.test(h)) places.computeIfAbsent(h.size(), key -> new ArrayList<>()).add(i);
    }
    List<Kin> all = new ArrayList<>();
    places.forEach((length, list) -> split(histories, length, list, all));
    all.sort(Comparator.comparingInt(Kin::length));
    return all;
  }

  /// Many columns of their own would take much memory at once.
  private static void split(
      List<History> histories, int length, List<Integer> places, List<Kin> all) {
    Set<Covariates> different = new HashSet<>();
    long numbers = 0;
    List<Integer> some = new ArrayList<>();
    for (int place : places) {
      Covariates columns = histories.get(place).covariates;
      if (columns != null && different.add(columns)) {
        numbers += (long) length * (1 + columns.size());
        if (numbers > MOST && !some.isEmpty()) {
          all.add(kin(histories, some));
          some = new ArrayList<>();
          different.clear();
          different.add(columns);
          numbers = (long) length * (1 + columns.size());
        }
      }
      some.add(place);
    }
    all.add(kin(histories, some));
  }

  private static Kin kin(List<History> histories, List<Integer> places) {
    return new Kin(
        places.stream().map(histories::get).toList(),
        places.stream().mapToInt(Integer::intValue).toArray());
  }
}
