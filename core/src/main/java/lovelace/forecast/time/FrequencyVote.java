package lovelace.forecast.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import lovelace.forecast.time.Frequency.Unit;

/// Finds the frequency of many series by a vote. Each series has one voice, and the shorter step
/// wins a tie, because the times of the others may lie on it too.
final class FrequencyVote {

  private record Step(Unit unit, double multiple) {}

  private FrequencyVote() {}

  static Inference.OfMany of(List<List<Moment>> series, TimeForm form) {
    List<Inference> own = series.stream().map(each -> FrequencySearch.one(each, form)).toList();
    Map<Step, Long> voices = new LinkedHashMap<>();
    for (Inference each : own)
      each.frequency()
          .ifPresent(f -> voices.merge(new Step(f.unit(), f.multiple()), 1L, Long::sum));
    Optional<Step> step =
        voices.entrySet().stream()
            .max(
                Map.Entry.<Step, Long>comparingByValue()
                    .thenComparing(each -> each.getKey().unit())
                    .thenComparingDouble(each -> -each.getKey().multiple()))
            .map(Map.Entry::getKey);
    if (step.isEmpty())
      return new Inference.OfMany(
          Optional.empty(), own, List.of(), "no series has a frequency" + firstReason(own));
    Map<Frequency, Long> places = new LinkedHashMap<>();
    for (Inference each : own)
      each.frequency()
          .filter(f -> step.get().equals(new Step(f.unit(), f.multiple())))
          .ifPresent(f -> places.merge(f, 1L, Long::sum));
    Frequency winner =
        places.entrySet().stream()
            .max(Comparator.comparingLong(Map.Entry::getValue))
            .orElseThrow()
            .getKey();
    return under(winner, series, own, form);
  }

  /// Each series under the steps of the winner.
  private static Inference.OfMany under(
      Frequency winner, List<List<Moment>> series, List<Inference> own, TimeForm form) {
    List<Inference> all = new ArrayList<>();
    List<Integer> disagreeing = new ArrayList<>();
    long elsewhere = 0, duplicates = 0, missing = 0;
    for (int i = 0; i < own.size(); i++) {
      Inference each =
          own.get(i).frequency().equals(Optional.of(winner))
              ? own.get(i)
              : FrequencySearch.onto(winner, series.get(i), form);
      if (each.frequency().isEmpty()) {
        disagreeing.add(i);
        all.add(each);
        continue;
      }
      if (!each.frequency().get().equals(winner)) elsewhere++;
      if (each.missing() > 0) missing++;
      if (each.duplicates() > 0) duplicates++;
      all.add(each);
    }
    String reason =
        String.format(
                Locale.ROOT,
                "the times of %,d of %,d series are %s",
                own.size() - disagreeing.size() - elsewhere,
                own.size(),
                winner.words())
            + some(elsewhere, "on steps of that length elsewhere")
            + some(missing, "with missing steps")
            + some(duplicates, "with several rows of one time")
            + some(disagreeing.size(), "on no such steps");
    return new Inference.OfMany(Optional.of(winner), all, disagreeing, reason);
  }

  private static String some(long count, String which) {
    return count == 0 ? "" : String.format(Locale.ROOT, "; %,d %s", count, which);
  }

  private static String firstReason(List<Inference> own) {
    return own.isEmpty() ? "" : "; of the first: " + own.getFirst().reason();
  }
}
