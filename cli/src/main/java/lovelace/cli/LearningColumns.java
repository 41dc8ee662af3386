package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.cli.Reading.Missing;
import lovelace.cli.Reading.Unseen;
import lovelace.data.Column;
import org.jspecify.annotations.Nullable;

/// The columns of a table to learn from, and how their values become numbers: from numbers, dates,
/// words, and a mean where one is missing.
///
/// @param inputs the columns
/// @param leftOut columns of text that are not learned from and why, a line each
record LearningColumns(List<Column> inputs, List<String> leftOut) {

  /// The word used for a missing word.
  static final String NONE = "(missing)";

  /// The columns that were asked for by name.
  static LearningColumns asked(Table table, List<String> names, Missing missing)
      throws IOException {
    Map<String, TextFacts> texts = texts(table, names);
    List<Column> inputs = new ArrayList<>();
    for (String name : names) {
      TextFacts text = texts.get(name);
      if (text != null && !text.nearlyNumbers() && (text.tooMany() || text.words().isEmpty()))
        throw new IllegalArgumentException(
            "column '%s' of '%s' holds text %s; leave it out of --inputs%s"
                .formatted(
                    name,
                    table.name(),
                    problem(text),
                    text.tooMany() ? ", or replace rare words by one common word" : ""));
      inputs.add(column(table, name, text, missing));
    }
    return new LearningColumns(inputs, List.of());
  }

  /// All columns that contain numbers, dates or a few words, except the target and the column of
  /// sizes.
  static LearningColumns all(Table table, String target, @Nullable String size, Missing missing)
      throws IOException {
    List<String> names =
        table.fields().stream()
            .map(Table.Field::name)
            .filter(name -> !name.equals(target) && !name.equals(size))
            .toList();
    Map<String, TextFacts> texts = texts(table, names);
    List<Column> inputs = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (String name : names) {
      TextFacts text = texts.get(name);
      String problem = text == null || text.nearlyNumbers() ? "" : problem(text);
      if (problem.isEmpty()) inputs.add(column(table, name, text, missing));
      else leftOut.add("%s, text %s".formatted(name, problem));
    }
    return new LearningColumns(inputs, leftOut);
  }

  private static Map<String, TextFacts> texts(Table table, List<String> names) throws IOException {
    Map<String, TextFacts> all = new LinkedHashMap<>();
    for (TextFacts facts :
        table.texts(names.stream().filter(n -> table.field(n).kind() == Table.Kind.TEXT).toList()))
      all.put(facts.name(), facts);
    return all;
  }

  /// Why a column of text is not learned from by default; empty if it is.
  private static String problem(TextFacts text) {
    if (text.words().isEmpty()) return "without any value";
    List<String> words = List.copyOf(text.words());
    if (text.tooMany())
      return "with more than %s different values (%s)"
          .formatted(TextFacts.MOST, Reading.words(words, 3));
    if (text.repeats()) return "";
    return String.format(
        Locale.ROOT,
        "whose %,d values hardly repeat (%s); name it in --inputs to use it anyway",
        words.size(),
        Reading.words(words, 3));
  }

  private static Column column(Table table, String name, @Nullable TextFacts text, Missing missing)
      throws IOException {
    if (text == null || text.nearlyNumbers()) return table.column(name);
    List<String> words = new ArrayList<>(text.words());
    if (missing == Missing.MEAN && text.hasMissing() && !words.contains(NONE)) words.add(NONE);
    return Column.of(name, words);
  }

  /// Adds to columns the value used for a missing one: the mean of the rows that have all of
  /// `others`, target and weights, or a word of its own.
  static List<Column> filled(Table table, List<Column> inputs, List<Column> others)
      throws IOException {
    int d = inputs.size();
    List<Column> all = new ArrayList<>(inputs);
    all.addAll(others);
    double[] sums = new double[d];
    long[] counts = new long[d];
    table.chunks(
        new Reading(all, Missing.SKIP, Unseen.MEAN),
        (size, columns, skipped) -> {
          for (int i = 0; i < size; i++) {
            boolean learned = true;
            for (int j = d; j < columns.length; j++) learned &= Double.isFinite(columns[j][i]);
            if (!learned) continue;
            for (int j = 0; j < d; j++) {
              if (!Double.isFinite(columns[j][i])) continue;
              sums[j] += columns[j][i];
              counts[j]++;
            }
          }
        });
    List<Column> filled = new ArrayList<>();
    for (int j = 0; j < d; j++) {
      Column column = inputs.get(j);
      if (counts[j] == 0 && !column.isText())
        throw new IllegalArgumentException(
            "column '%s' of '%s' has no value in a row with a target, so it has no mean; leave it out of --inputs"
                .formatted(column.name(), table.name()));
      filled.add(column.filledBy(column.isText() ? column.code(NONE) : sums[j] / counts[j]));
    }
    return filled;
  }
}
