package lovelace.series.counts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A [CountModel] as numbers: parts, each after its length. The first is the periods, the second a
/// hash of the library. Then follow, for counts and for amounts, the prior, the weights, their
/// powers, the coefficients of the pool, and the number of series.
final class CountNumbers {

  private static final int PARTS = 12;

  private CountNumbers() {}

  static double[] write(CountModel model) {
    List<double[]> parts = new ArrayList<>();
    parts.add(Arrays.stream(model.periods()).asDoubleStream().toArray());
    parts.add(new double[] {hash(model.periods().length)});
    for (Support support : List.of(Support.COUNTS, Support.AMOUNTS)) {
      Family family = model.family(support);
      double[] size = family.prior().size();
      double[] prior = new double[size.length + 1];
      prior[0] = family.prior().there();
      System.arraycopy(size, 0, prior, 1, size.length);
      parts.add(prior);
      parts.add(family.shares().logWeight());
      parts.add(family.shares().powers());
      parts.add(family.pool());
      parts.add(new double[] {family.series()});
    }
    int total = parts.stream().mapToInt(part -> part.length + 1).sum();
    double[] all = new double[total];
    int at = 0;
    for (double[] part : parts) {
      all[at++] = part.length;
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  /// A hash of the points as text, which is the same in every process.
  private static double hash(int seasons) {
    return List.of(Point.counts(seasons), Point.amounts(seasons)).toString().hashCode();
  }

  /// Takes numbers back; empty if they are those of another library.
  static Optional<CountModel> read(double... numbers) {
    List<double[]> parts = new ArrayList<>();
    int at = 0;
    while (at < numbers.length) {
      int length = (int) numbers[at++];
      if (length < 0 || length > numbers.length - at) return Optional.empty();
      parts.add(Arrays.copyOfRange(numbers, at, at + length));
      at += length;
    }
    if (parts.size() != PARTS) return Optional.empty();
    int[] periods = Arrays.stream(parts.getFirst()).mapToInt(p -> (int) p).toArray();
    if (parts.get(1)[0] != hash(periods.length)) return Optional.empty();
    return Optional.of(
        new CountModel(periods, family(parts.subList(2, 7)), family(parts.subList(7, PARTS))));
  }

  private static Family family(List<double[]> parts) {
    double[] prior = parts.getFirst();
    return new Family(
        new Prior(prior[0], Arrays.copyOfRange(prior, 1, prior.length)),
        new Shares(parts.get(1), parts.get(2)),
        parts.get(3),
        (int) parts.get(4)[0]);
  }
}
