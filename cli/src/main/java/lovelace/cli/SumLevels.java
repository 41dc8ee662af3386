package lovelace.cli;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import lovelace.forecast.SeriesSums;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// The sums that `--sums` asks for: for each level, which is a set of columns of ids, a sum for
/// each of their words.
///
/// @param members the numbers of the series of each sum
/// @param words of each sum in the columns of ids; null where it adds over the words of a column
/// @param levels the levels in words, and how many sums each has
record SumLevels(
    List<int[]> members, List<List<@Nullable String>> words, Map<String, Integer> levels) {

  /// The word for the sum of all series alone.
  private static final String TOTAL = "total";

  /// The options whose results sums do not have.
  private static final List<String> BESIDE =
      List.of("--components", "--fitted", "--anomalies", "--plot");

  /// Refuses options that do not go with sums.
  static void check(CommandSpec spec) {
    Together.refuse(
        spec, "--sums", List.of("--from"), "sums begin after the last value of any series");
    Together.refuse(spec, "--sums", BESIDE, "draws that agree have no such parts");
    Together.refuse(
        spec, "--sums", List.of("--between"), "a sum may lie outside the bounds of its series");
    Together.refuse(spec, "--sums", ForecastFiles.COLUMNS, "the columns of a sum are not known");
  }

  /// The columns of each level. `shop/item` adds over all, then by shop. Chains with a comma
  /// between them cross: `region/shop,item`.
  static List<Set<String>> parse(String text, List<String> ids) {
    List<Set<String>> levels = new ArrayList<>(List.of(new LinkedHashSet<>()));
    boolean total = text.equals(TOTAL) && !ids.contains(TOTAL);
    for (String chain : total ? new String[0] : text.split(",", -1)) {
      List<Set<String>> crossed = new ArrayList<>(levels);
      Set<String> prefix = new LinkedHashSet<>();
      for (String word : chain.split("/", -1)) {
        String column = word.strip();
        if (!ids.contains(column))
          throw new IllegalArgumentException(
              "--sums names '%s', which is no column of ids; they are %s: name some of them, such as %s, or write --sums total"
                  .formatted(
                      column,
                      ids.isEmpty() ? "none (the table is one series)" : String.join(", ", ids),
                      ids.isEmpty() ? "--id shop,item --sums shop" : "--sums " + ids.getFirst()));
        prefix.add(column);
        for (Set<String> level : levels) {
          Set<String> more = new LinkedHashSet<>(level);
          more.addAll(prefix);
          crossed.add(more);
        }
      }
      levels = crossed;
    }
    Set<Set<String>> different = new LinkedHashSet<>(levels);
    different.remove(Set.copyOf(ids)); // the series themselves
    return List.copyOf(different);
  }

  /// The sums of the series of a table.
  static SumLevels of(SeriesTable table, String text) throws IOException {
    List<String> ids = table.columns().idNames();
    if (ids.isEmpty())
      throw new IllegalArgumentException(
          "--sums adds series, and '%s' is read as one; name the columns that tell series apart with --id, or leave --sums out"
              .formatted(table.name()));
    List<int[]> members = new ArrayList<>();
    List<List<@Nullable String>> words = new ArrayList<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    SeriesIds all = new SeriesIds(table);
    for (Set<String> level : parse(text, ids)) {
      Map<List<@Nullable String>, List<Integer>> found = new LinkedHashMap<>();
      for (int number = 0; number < table.count(); number++) {
        List<@Nullable String> series = all.of(number);
        List<@Nullable String> kept = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++)
          kept.add(level.contains(ids.get(i)) ? series.get(i) : null);
        found.computeIfAbsent(kept, key -> new ArrayList<>()).add(number);
      }
      found.forEach(
          (kept, numbers) -> {
            words.add(kept);
            members.add(numbers.stream().mapToInt(Integer::intValue).toArray());
          });
      counts.put(level.isEmpty() ? TOTAL : String.join(" and ", level), found.size());
      if (members.size() > SeriesSums.MOST)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "--sums %s has more than %,d sums, which is the most at once; name fewer levels",
                text,
                SeriesSums.MOST));
    }
    return new SumLevels(members, words, counts);
  }

  /// Adds the sums to the ids of a table, with numbers after those of the series.
  void register(SeriesTable table) throws IOException {
    List<String> types = new SeriesIds(table).types();
    try {
      for (int a = 0; a < words.size(); a++) {
        StringBuilder sql = new StringBuilder("insert into " + SeriesTable.IDS + " select ");
        sql.append(table.count() + a);
        for (String type : types) sql.append(", ?::").append(type);
        try (var statement = table.database().connection().prepareStatement(sql.toString())) {
          for (int i = 0; i < types.size(); i++) statement.setString(i + 1, words.get(a).get(i));
          statement.execute();
        }
      }
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
  }

  /// The levels in words.
  String text() {
    List<String> all = new ArrayList<>();
    levels.forEach((name, count) -> all.add(String.format(Locale.ROOT, "%,d by %s", count, name)));
    return String.join(", ", all).replace("1 by " + TOTAL, "the total");
  }
}
