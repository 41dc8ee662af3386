package lovelace.cli;

import static lovelace.cli.Database.literal;
import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lovelace.cli.Table.Field;
import lovelace.cli.Table.Kind;

/// The columns that are known in the future, and how their values are read.
///
/// @param columns in the order in which they were named, or in that of the table; those that both
///   tables have and that never change within a series are not among them
record KnownColumns(List<Known> columns) {

  /// The most words of a column. More of them are ids.
  private static final int MOST_WORDS = 50;

  /// A column.
  ///
  /// @param table whether the table of the history has it
  /// @param plan whether the table of the future has it
  /// @param words its words in alphabetical order, the usual one first; none if it holds numbers
  record Known(String name, boolean table, boolean plan, List<String> words) {

    Known {
      words = List.copyOf(words);
    }

    boolean isText() {
      return !words.isEmpty();
    }
  }

  KnownColumns {
    columns = List.copyOf(columns);
  }

  /// Finds the columns that are named, or those that both tables have beside ids, time and target.
  static KnownColumns find(
      Table table, Optional<Table> plan, SeriesColumns parts, List<String> named)
      throws IOException {
    List<String> names = new ArrayList<>();
    if (!named.isEmpty()) {
      for (String name : named) names.add(named(name, parts));
    } else if (plan.isPresent()) {
      for (Field field : table.fields()) {
        String name = field.name();
        if (!has(plan.get(), name) || isPart(parts, name) || isEmpty(plan.get(), name)) continue;
        if (!isConstant(table, parts, name)) names.add(name);
      }
    }
    List<Known> columns = new ArrayList<>();
    try {
      for (String name : names) columns.add(known(table, plan, name));
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
    return new KnownColumns(columns);
  }

  /// The error of a table of the future from which nothing is used.
  static IllegalArgumentException nothing(Table table, Table plan, SeriesColumns parts) {
    return new IllegalArgumentException(
        "--future: '%s' has no column that '%s' has too and that changes within a series, beside %s; its columns are %s. Name the columns that are known with --covariates"
            .formatted(plan.name(), table.name(), String.join(", ", parts(parts)), plan.listing()));
  }

  private static String named(String name, SeriesColumns parts) {
    if (isPart(parts, name))
      throw new IllegalArgumentException(
          "--covariates: column '%s' is the %s; name another"
              .formatted(
                  name,
                  name.equals(parts.time())
                      ? "time"
                      : parts.values().contains(name) ? "target" : "id of the series"));
    return name;
  }

  /// Refuses a name that neither table has.
  static void require(String name, Table table, Optional<Table> plan) {
    boolean known = has(table, name) || plan.filter(p -> has(p, name)).isPresent();
    if (!known)
      throw new IllegalArgumentException(
          "--covariates: there is no column '%s'; '%s' has %s%s"
              .formatted(
                  name,
                  table.name(),
                  table.listing(),
                  plan.map(p -> ", and '%s' has %s".formatted(p.name(), p.listing())).orElse("")));
  }

  /// Whether a column has no value.
  static boolean isEmpty(Table table, String name) throws IOException {
    try {
      return table
          .database()
          .strings(
              "select 1 from (select %s as t from %s) where t is not null limit 1"
                  .formatted(text(table, name), table.relation().source()))
          .isEmpty();
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
  }

  private static List<String> parts(SeriesColumns parts) {
    return Stream.concat(
            parts.idNames().stream(),
            parts.wide()
                ? Stream.of(parts.time())
                : Stream.of(parts.time(), parts.values().getFirst()))
        .toList();
  }

  private static boolean isPart(SeriesColumns parts, String name) {
    return parts.idNames().contains(name)
        || parts.time().equals(name)
        || parts.values().contains(name);
  }

  static boolean has(Table table, String name) {
    return table.fields().stream().anyMatch(field -> field.name().equals(name));
  }

  /// Whether a column has one value in each series.
  static boolean isConstant(Table table, SeriesColumns parts, String name) throws IOException {
    if (parts.wide() || parts.ids().isEmpty()) return false;
    String ids = parts.ids().stream().map(Database::quoted).collect(Collectors.joining(", "));
    try {
      return table
          .database()
          .strings(
              "select 1 from %s group by %s having count(distinct %s) > 1 limit 1"
                  .formatted(table.relation().source(), ids, quoted(name)))
          .isEmpty();
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
  }

  /// SQL of a value as text; null where it is missing.
  static String text(Table table, String name) {
    String text = "trim(%s::varchar)".formatted(quoted(name));
    String absent =
        table.relation().text()
            ? Relation.ABSENT.substring(1, Relation.ABSENT.length() - 1)
            : "'', 'NaN', 'nan'";
    return "case when %s not in (%s) then %s end".formatted(text, absent, text);
  }

  /// SQL of a text as a number; null if it is none.
  static String number(String text) {
    return "case lower(%s) when 'true' then 1.0 when 'false' then 0.0 else try_cast(%s as double) end"
        .formatted(text, text);
  }

  /// Reads the kind of a column, which must be the same in all rows of both tables.
  private static Known known(Table table, Optional<Table> plan, String name)
      throws IOException, SQLException {
    List<Table> sources = new ArrayList<>();
    if (has(table, name)) sources.add(table);
    plan.filter(p -> has(p, name)).ifPresent(sources::add);
    long numbers = 0;
    long texts = 0;
    for (Table source : sources) {
      if (source.field(name).kind() == Kind.TIME)
        throw new IllegalArgumentException(
            "--covariates: column '%s' of '%s' holds times, which explain nothing by themselves; write what matters about them as a number, such as the days since then"
                .formatted(name, source.name()));
      List<String> counts =
          source
              .database()
              .strings(
                  "select count(n), count(t) - count(n) from (select t, %s as n from (select %s as t from %s))"
                      .formatted(number("t"), text(source, name), source.relation().source()));
      numbers += Long.parseLong(counts.get(0));
      texts += Long.parseLong(counts.get(1));
    }
    if (texts > 0 && numbers > 0) throw mixed(sources, name, numbers >= texts);
    return new Known(
        name,
        sources.contains(table),
        plan.filter(sources::contains).isPresent(),
        texts == 0 ? List.of() : words(sources, name));
  }

  /// The first row that does not fit the others.
  private static IllegalArgumentException mixed(
      List<Table> sources, String name, boolean mostNumbers) throws SQLException {
    String wrong = number("t") + (mostNumbers ? " is null" : " is not null");
    for (Table source : sources) {
      List<String> first =
          source
              .database()
              .strings(
                  "select r, t from (select row_number() over () as r, %s as t from %s) where t is not null and %s order by r limit 1"
                      .formatted(text(source, name), source.relation().source(), wrong));
      if (first.isEmpty()) continue;
      return new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d of '%s': column '%s' is '%s', and most of its values are %s; correct it, or leave it empty if it is not known",
              Long.parseLong(first.get(0)),
              source.name(),
              name,
              first.get(1),
              mostNumbers ? "numbers" : "words"));
    }
    throw new IllegalStateException("no row of '" + name + "' is wrong");
  }

  /// The words of all rows, the most frequent of the history first.
  private static List<String> words(List<Table> sources, String name)
      throws IOException, SQLException {
    Set<String> all = new java.util.TreeSet<>();
    List<String> usual = new ArrayList<>();
    for (Table source : sources) {
      List<String> some =
          source
              .database()
              .strings(
                  "select list(t order by c desc, t) from (select t, count(*) as c from (select %s as t from %s) where t is not null group by t order by c desc, t limit %s)"
                      .formatted(text(source, name), source.relation().source(), MOST_WORDS + 1),
                  true);
      if (usual.isEmpty() && !some.isEmpty()) usual.add(some.getFirst());
      all.addAll(some);
    }
    if (all.size() > MOST_WORDS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--covariates: column '%s' of '%s' has more than %d different words; each would be an effect of its own. Group them, or leave the column out",
              name,
              sources.getFirst().name(),
              MOST_WORDS));
    all.removeAll(usual);
    usual.addAll(all);
    return usual;
  }

  /// SQL of the number of a word, from 0; null where it is missing.
  static String code(Known column, String text) {
    return "(list_position([%s], %s) - 1)::double"
        .formatted(
            column.words().stream().map(w -> literal(w)).collect(Collectors.joining(", ")), text);
  }

  /// The names of the columns as a forecast has them: a word has one of its own, but not the usual
  /// word.
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (Known each : columns)
      if (!each.isText()) names.add(each.name());
      else
        for (String word : each.words().subList(1, each.words().size()))
          names.add(each.name() + "=" + word);
    return names;
  }

  /// The columns in words.
  String words() {
    return columns.stream()
        .map(
            each ->
                each.isText()
                    ? "%s (effects of %s beside %s)"
                        .formatted(
                            each.name(),
                            String.join(", ", each.words().subList(1, each.words().size())),
                            each.words().getFirst())
                    : each.name())
        .collect(Collectors.joining(", "));
  }
}
