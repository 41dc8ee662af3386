package lovelace.forecast;

import java.util.ArrayList;
import java.util.List;
import lovelace.series.OutlierSearch;

/// A series as a forecast uses it.
///
/// @param series with gaps as they are meant, and without its outliers
/// @param outliers that were left out
record Cleaned(TimeSeries series, List<Outlier> outliers) {

  /// All series in their order.
  static List<Cleaned> all(Forecaster options, List<TimeSeries> given) {
    List<TimeSeries> meant = given.stream().map(options::meant).toList();
    if (options.outliers() == Forecaster.Outliers.KEEP)
      return meant.stream().map(each -> new Cleaned(each, List.of())).toList();
    List<List<OutlierSearch.Outlier>> found =
        OutlierSearch.all(
            meant.stream().map(TimeSeries::array).toList(),
            meant.stream().map(TimeSeries::covariates).toList(),
            options.seasons(),
            options.warps());
    List<Cleaned> all = new ArrayList<>();
    for (int i = 0; i < meant.size(); i++) {
      List<Outlier> outliers =
          found.get(i).stream()
              .filter(each -> !isMeant(options, each.value()))
              .map(each -> new Outlier(each.step(), each.value(), each.expected(), each.t()))
              .toList();
      all.add(new Cleaned(meant.get(i).without(outliers), outliers));
    }
    return all;
  }

  /// Whether a value is one that the user named for gaps. Zeros are then as good as any value.
  private static boolean isMeant(Forecaster options, double value) {
    return options.gaps() == Forecaster.Gaps.ZERO && value == 0;
  }
}
