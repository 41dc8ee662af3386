package lovelace.series;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Histories that share every factor: they have one length and the same covariates.
///
/// @param places their places in the list that they are from
@SuppressWarnings("ArrayRecordComponent")
record Kin(List<History> histories, int[] places, Optional<Covariates> covariates) {

  /// The number of values of each.
  int length() {
    return histories.getFirst().size();
  }

  /// Histories by length and covariates, short ones first.
  static List<Kin> of(List<History> histories) {
    return of(histories, history -> true);
  }

  /// Those of some histories for which a test holds.
  static List<Kin> of(List<History> histories, Predicate<History> wanted) {
    Map<Key, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < histories.size(); i++) {
      History h = histories.get(i);
      if (!wanted.test(h)) continue;
      places
          .computeIfAbsent(
              new Key(h.size(), Optional.ofNullable(h.covariates)), key -> new ArrayList<>())
          .add(i);
    }
    List<Kin> all = new ArrayList<>();
    places.forEach(
        (key, list) ->
            all.add(
                new Kin(
                    list.stream().map(histories::get).toList(),
                    list.stream().mapToInt(Integer::intValue).toArray(),
                    key.covariates)));
    all.sort(Comparator.comparingInt(Kin::length));
    return all;
  }

  private record Key(int length, Optional<Covariates> covariates) {}
}
