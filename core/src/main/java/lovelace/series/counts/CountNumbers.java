package lovelace.series.counts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a [CountModel] has learned as numbers: parts, each after its length. The first is the
/// periods. Then follow, for counts and for amounts, the prior, the weights, their powers, the
/// coefficients of the pool, and the number of series.
final class CountNumbers {

  private static final int PARTS = 11;

  private CountNumbers() {}

  static double[] write(CountModel model) {
    List<double[]> parts = new ArrayList<>();
    parts.add(Arrays.stream(model.periods()).asDoubleStream().toArray());
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

  static CountModel read(double... numbers) {
    List<double[]> parts = new ArrayList<>();
    int at = 0;
    while (at < numbers.length) {
      double length = numbers[at++];
      if (!(length >= 0 && length <= numbers.length - at && length == Math.rint(length)))
        throw new IllegalArgumentException("numbers of counts have a part of length " + length);
      parts.add(Arrays.copyOfRange(numbers, at, at + (int) length));
      at += (int) length;
    }
    if (parts.size() != PARTS)
      throw new IllegalArgumentException(
          "numbers of counts have %d parts, got %d".formatted(PARTS, parts.size()));
    int[] periods = Arrays.stream(parts.getFirst()).mapToInt(p -> (int) p).toArray();
    for (int period : periods)
      if (period < 1) throw new IllegalArgumentException("a period must be ≥ 1, got " + period);
    return new CountModel(
        periods,
        family(Support.COUNTS, periods.length, parts.subList(1, 6)),
        family(Support.AMOUNTS, periods.length, parts.subList(6, 11)));
  }

  private static Family family(Support support, int seasons, List<double[]> parts) {
    Family start = Family.start(support, seasons);
    double[] prior = parts.get(0);
    double[] weights = parts.get(1);
    if (prior.length != start.prior().size().length + 1
        || weights.length != start.shares().logWeight().length
        || parts.get(2).length != start.shares().powers().length
        || parts.get(3).length != start.pool().length
        || parts.get(4).length != 1)
      throw new IllegalArgumentException("numbers of counts are those of another library");
    return new Family(
        new Prior(prior[0], Arrays.copyOfRange(prior, 1, prior.length)),
        new Shares(weights, parts.get(2)),
        parts.get(3),
        (int) parts.get(4)[0]);
  }
}
