package lovelace.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.TimeSeries;

/// Which terms of the library count more and which less after an update: the whole library is run
/// over some series as they were and as they are.
final class TermChanges {

  /// How many series are looked at.
  private static final int MOST = 50;

  /// How many changes are told, and the smallest of them.
  private static final int SHOWN = 3;

  private static final double LEAST = 0.01;

  private final ForecastModel model;
  private final List<TimeSeries> before = new ArrayList<>();
  private final List<TimeSeries> after = new ArrayList<>();

  TermChanges(ForecastModel model) {
    this.model = model;
  }

  /// Adds a series. The first ones that changed are looked at.
  void add(TimeSeries old, TimeSeries longer) {
    if (before.size() == MOST || old.size() == 0 || longer.size() == old.size()) return;
    before.add(old);
    after.add(longer);
  }

  /// A change of a share.
  private record Change(String term, double from, double to) {
    double size() {
      return Math.abs(to - from);
    }

    String words() {
      return String.format(Locale.ROOT, "%s %.0f %% (%.0f %% before)", term, 100 * to, 100 * from);
    }
  }

  /// The largest changes in words; empty if there is nothing to compare.
  String words() {
    Map<String, Map<String, Double>> old = model.terms(before);
    Map<String, Map<String, Double>> now = model.terms(after);
    if (old.isEmpty() || now.isEmpty()) return "";
    List<Change> changes = new ArrayList<>();
    now.forEach(
        (kind, terms) ->
            terms.forEach(
                (term, share) -> {
                  double from = old.getOrDefault(kind, Map.of()).getOrDefault(term, 0.0);
                  changes.add(new Change(kind + " '" + term + "'", from, share));
                }));
    String told =
        changes.stream()
            .filter(each -> each.size() >= LEAST)
            .sorted(Comparator.comparingDouble(Change::size).reversed())
            .limit(SHOWN)
            .map(Change::words)
            .collect(Collectors.joining(", "));
    return told.isEmpty()
        ? String.format(
            Locale.ROOT,
            "in %,d series no term of the library gained or lost a hundredth of the shares",
            before.size())
        : String.format(Locale.ROOT, "shares in %,d series: %s", before.size(), told);
  }
}
