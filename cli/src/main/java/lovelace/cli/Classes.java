package lovelace.cli;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import lovelace.data.Column;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;

/// The two values of a target of classes, which may be words or any two numbers.
final class Classes {

  private static final List<String> USUAL = List.of("0", "1");

  private Classes() {}

  /// Whether targets of a likelihood are classes.
  static boolean suit(Likelihood likelihood) {
    return likelihood.has(Likelihood.Of.PROBABILITY) && likelihood.size() == Likelihood.Size.NONE;
  }

  /// The target's column. If its values are 0 and 1, they are numbers. Otherwise they are two
  /// words, and the second is 1.
  ///
  /// @param positive the value that is 1, null for the second in their order
  static Column of(Table table, String target, @Nullable String positive) throws IOException {
    List<TableScan.First> found = table.firstOf(target, 3);
    if (found.size() > 2) {
      TableScan.First third = found.get(2);
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d of '%s': target '%s' is '%s', a third class beside '%s' and '%s'; likelihood bernoulli takes two, so merge classes or drop rows",
              third.row(),
              table.name(),
              target,
              third.value(),
              found.get(0).value(),
              found.get(1).value()));
    }
    if (found.isEmpty())
      throw new IllegalArgumentException(
          "column '%s' of '%s' has no values; choose another target"
              .formatted(target, table.name()));
    if (found.size() == 1)
      throw new IllegalArgumentException(
          "target '%s' is '%s' in all rows of '%s', there is nothing to learn; give rows of both classes"
              .formatted(target, found.getFirst().value(), table.name()));
    List<String> values =
        found.stream().map(TableScan.First::value).sorted(Classes::compare).toList();
    if (positive == null) return column(target, values);
    List<String> chosen = values.stream().filter(v -> same(v, positive)).toList();
    if (chosen.isEmpty())
      throw new IllegalArgumentException(
          "--positive is '%s', and target '%s' is %s; name one of the two"
              .formatted(
                  positive,
                  target,
                  values.stream().map(v -> "'" + v + "'").collect(Collectors.joining(" or "))));
    List<String> ordered = values.getLast().equals(chosen.getFirst()) ? values : values.reversed();
    return column(target, ordered);
  }

  /// Refuses a target of two words, with advice how to learn it.
  static void requireNotTwo(Table table, String target) throws IOException {
    List<String> found = table.firstOf(target, 3).stream().map(TableScan.First::value).toList();
    if (found.size() == 2)
      throw new IllegalArgumentException(
          "target '%s' of '%s' holds two words, '%s' and '%s'; pass --likelihood bernoulli to learn the probability of one of them, or choose a column of numbers"
              .formatted(target, table.name(), found.get(0), found.get(1)));
  }

  private static Column column(String target, List<String> values) {
    return values.equals(USUAL) ? Column.of(target) : Column.of(target, values);
  }

  private static int compare(String a, String b) {
    return Relation.isNumber(a) && Relation.isNumber(b)
        ? Double.compare(Double.parseDouble(a), Double.parseDouble(b))
        : a.compareTo(b);
  }

  /// Whether two texts are the same word or the same number.
  static boolean same(String a, String b) {
    return a.equals(b) || (Relation.isNumber(a) && Relation.isNumber(b) && compare(a, b) == 0);
  }
}
