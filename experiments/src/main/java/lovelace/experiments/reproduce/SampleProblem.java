package lovelace.experiments.reproduce;

import java.util.Locale;
import lovelace.experiments.Search;
import org.jspecify.annotations.Nullable;

/// A row of the table, with the paper's figures: errors of exact, Fourier features, SGPR 100 and
/// 1,000, LOVE; speedups of Fourier features, SGPR 100 and 1,000, LOVE from scratch and after.
enum SampleProblem {
  POLETELE(Sets.POLETELE, null),
  ELEVATORS(Sets.ELEVATORS, null),
  EGGHOLDER(null, Search.EGGHOLDER),
  STYBLINSKI(null, Search.STYBLINSKI_TANG);

  final @Nullable Sets set;
  final @Nullable Search search;

  SampleProblem(@Nullable Sets set, @Nullable Search search) {
    this.set = set;
    this.search = search;
  }

  double[] errors() {
    return switch (this) {
      case POLETELE -> new double[] {8.8e-4, 1.8e-3, 4.9e-3, 2.7e-3, 7.5e-4};
      case ELEVATORS -> new double[] {2.6e-7, 3.1e-4, 8.7e-6, 3.6e-6, 5.5e-7};
      case EGGHOLDER -> new double[] {7.7e-4, 1.5e-3, 8.1e-4, Double.NaN, 8.0e-5};
      case STYBLINSKI -> new double[] {5.4e-4, 7.3e-3, 5.2e-4, Double.NaN, 5.2e-4};
    };
  }

  double[] speedups() {
    return switch (this) {
      case POLETELE -> new double[] {22, 24, 3, 21, 881};
      case ELEVATORS -> new double[] {31, 33, 4, 25, 1062};
      case EGGHOLDER -> new double[] {16, 8, Double.NaN, 19, 775};
      case STYBLINSKI -> new double[] {11, 8, Double.NaN, 42, 18_100};
    };
  }

  String key() {
    return "samples-"
        + (set != null ? set.folder : title().toLowerCase(Locale.ROOT).replace('–', '-'));
  }

  String title() {
    return set != null ? set.title : search != null ? Searched.title(search) : name();
  }

  String label(Bench bench) {
    return set != null ? set.label(bench) : title();
  }
}
