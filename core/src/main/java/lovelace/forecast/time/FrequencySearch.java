package lovelace.forecast.time;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import lovelace.forecast.time.Frequency.Unit;
import lovelace.forecast.time.TimeForm.Kind;

/// Finds the frequency of one series: the coarsest step of the calendar on which all its moments
/// lie. At least half of the gaps between them must be one step long.
final class FrequencySearch {

  private static final int MINUTE = 60, HOUR = 3_600, DAY = 86_400;
  private static final int WEEK = 7, QUARTER = 3, YEAR = 12;

  /// The moments in order, each once.
  private final List<Moment> moments;

  private final long duplicates;
  private final TimeForm form;

  private FrequencySearch(List<Moment> rows, TimeForm form) {
    moments = rows.stream().sorted().distinct().toList();
    duplicates = (long) rows.size() - moments.size();
    this.form = form;
  }

  static Inference one(List<Moment> rows, TimeForm form) {
    FrequencySearch search = new FrequencySearch(rows, form);
    if (search.moments.size() < 2)
      return search.none(
          "a frequency needs at least 2 different times, got "
              + search.moments.size()
              + "; add rows, or name the frequency");
    Optional<Frequency> found = search.coarsest();
    if (found.isEmpty())
      return search.none("its times lie on no steps of at least a billionth of a second");
    if (search.isRegular(found.get())) return search.on(found.get());
    return search.none(search.irregular(found.get()));
  }

  static Inference onto(Frequency step, List<Moment> rows, TimeForm form) {
    FrequencySearch search = new FrequencySearch(rows, form);
    if (search.moments.isEmpty()) return search.none("it has no rows");
    if ((form.kind() == Kind.NUMBER) != (step.unit() == Unit.NUMBER))
      return search.none(
          step.unit() == Unit.NUMBER
              ? "its times are no plain numbers; name a frequency of the calendar"
              : "its times are plain numbers, which have no %ss; write dates, or name a number"
                  .formatted(step.unit().word));
    List<Frequency> places = new ArrayList<>();
    if (step.zone().equals(form.zone())) places.add(step);
    if (step.unit().months > 0)
      places.add(search.monthly(step.unit(), step.multiple(), search.moments.getFirst()));
    else
      for (Moment moment : List.of(search.moments.getFirst(), search.moments.getLast()))
        if (step.unit() != Unit.BUSINESS_DAY
            || !Frequency.weekend(moment.local(form.zone()).toLocalDate()))
          places.add(Frequency.through(moment, step.unit(), step.multiple(), form.zone()));
    for (Frequency place : places) if (search.allLieOn(place)) return search.on(place);
    return search.none(search.strayed(step, places));
  }

  /// The reason why the moments lie on none of some frequencies.
  private String strayed(Frequency step, List<Frequency> places) {
    Frequency last = places.isEmpty() ? step : places.getLast();
    for (Moment moment : moments)
      if (!last.holds(moment)) {
        long before = last.floor(moment);
        return "its time %s does not lie on %s; the steps around it are %s and %s"
            .formatted(
                form.format(moment),
                last.words(),
                form.format(last.at(before)),
                form.format(last.at(before + 1)));
      }
    return "its times do not lie on " + last.words();
  }

  private boolean allLieOn(Frequency frequency) {
    return numbers(frequency).isPresent();
  }

  /// The numbers of the steps of all moments; empty if one lies on no step.
  private Optional<long[]> numbers(Frequency frequency) {
    long[] numbers = new long[moments.size()];
    for (int i = 0; i < numbers.length; i++) {
      OptionalLong number = frequency.find(moments.get(i));
      if (number.isEmpty()) return Optional.empty();
      numbers[i] = number.getAsLong();
    }
    return Optional.of(numbers);
  }

  /// The coarsest step on which all moments lie.
  private Optional<Frequency> coarsest() {
    if (form.kind() == Kind.NUMBER) return counted();
    return months().or(this::days).or(this::counted);
  }

  private Optional<Frequency> months() {
    for (Moment clock : List.of(moments.getFirst(), moments.getLast())) {
      Frequency each = monthly(Unit.MONTH, 1, clock);
      Optional<long[]> numbers = numbers(each);
      if (numbers.isEmpty()) continue;
      long step = commonDivisor(numbers.get());
      Unit unit = step % YEAR == 0 ? Unit.YEAR : step % QUARTER == 0 ? Unit.QUARTER : Unit.MONTH;
      return Optional.of(monthly(unit, (double) step / unit.months, clock));
    }
    return Optional.empty();
  }

  /// Steps of months on the latest day of the month that a moment has, or on the ends of months if
  /// all moments lie there, at the time of day of one of them.
  private Frequency monthly(Unit unit, double multiple, Moment clock) {
    boolean ends = true;
    int latest = 0;
    for (Moment moment : moments) {
      LocalDate date = moment.local(form.zone()).toLocalDate();
      latest = Math.max(latest, date.getDayOfMonth());
      ends &= date.getDayOfMonth() == date.lengthOfMonth();
    }
    Moment phase = Moment.of(clock.local(form.zone()));
    return new Frequency(unit, multiple, phase, ends ? Frequency.END : latest, form.zone());
  }

  private Optional<Frequency> days() {
    for (Moment clock : List.of(moments.getFirst(), moments.getLast())) {
      Frequency daily = Frequency.through(clock, Unit.DAY, 1, form.zone());
      Optional<long[]> numbers = numbers(daily);
      if (numbers.isEmpty()) continue;
      long step = commonDivisor(numbers.get());
      if (step % WEEK == 0)
        return Optional.of(
            Frequency.through(clock, Unit.WEEK, (double) (step / WEEK), form.zone()));
      if (step == 1 && skipsWeekends()) {
        Frequency business = Frequency.through(clock, Unit.BUSINESS_DAY, 1, form.zone());
        return Optional.of(
            Frequency.through(
                clock,
                Unit.BUSINESS_DAY,
                (double) commonDivisor(numbers(business).orElseThrow()),
                form.zone()));
      }
      return Optional.of(Frequency.through(clock, Unit.DAY, (double) step, form.zone()));
    }
    return Optional.empty();
  }

  /// Whether no moment lies on a weekend although a weekend lies between them.
  private boolean skipsWeekends() {
    for (Moment moment : moments)
      if (Frequency.weekend(moment.local(form.zone()).toLocalDate())) return false;
    LocalDate first = moments.getFirst().local(form.zone()).toLocalDate();
    LocalDate last = moments.getLast().local(form.zone()).toLocalDate();
    return first.plusDays(WEEK - first.getDayOfWeek().getValue()).isBefore(last);
  }

  /// Steps of hours, minutes, seconds or numbers.
  private Optional<Frequency> counted() {
    BigInteger step = BigInteger.ZERO;
    for (int i = 1; i < moments.size(); i++)
      step = step.gcd(nanos(moments.get(i)).subtract(nanos(moments.get(i - 1))));
    BigDecimal length = new BigDecimal(step, Moment.DECIMALS);
    Unit unit = Unit.NUMBER;
    if (form.kind() != Kind.NUMBER) {
      unit = Unit.SECOND;
      for (Unit longer : List.of(Unit.MINUTE, Unit.HOUR))
        if (length.remainder(BigDecimal.valueOf(longer.seconds)).signum() == 0) unit = longer;
    }
    double multiple = length.doubleValue() / unit.seconds;
    Frequency found = Frequency.through(moments.getFirst(), unit, multiple, form.zone());
    return allLieOn(found) ? Optional.of(found) : Optional.empty();
  }

  private static BigInteger nanos(Moment moment) {
    return moment.number().movePointRight(Moment.DECIMALS).toBigIntegerExact();
  }

  /// The greatest number of steps that divides every gap.
  private static long commonDivisor(long[] numbers) {
    long divisor = 0;
    for (int i = 1; i < numbers.length; i++)
      for (long rest = numbers[i] - numbers[i - 1]; rest != 0; ) {
        long next = divisor % rest;
        divisor = rest;
        rest = next;
      }
    return Math.abs(divisor);
  }

  private boolean isRegular(Frequency frequency) {
    long[] numbers = numbers(frequency).orElseThrow();
    long single = 0;
    for (int i = 1; i < numbers.length; i++) if (numbers[i] - numbers[i - 1] == 1) single++;
    return 2 * single >= moments.size() - 1;
  }

  private String irregular(Frequency finest) {
    BigDecimal shortest = gap(1), longest = gap(1);
    for (int i = 2; i < moments.size(); i++) {
      shortest = shortest.min(gap(i));
      longest = longest.max(gap(i));
    }
    return ("its times are irregular: the gaps between them are from %s to %s, all lie only on %s,"
            + " and fewer than half of the gaps are one such step; add up the rows to regular steps,"
            + " or name a frequency")
        .formatted(length(shortest), length(longest), finest.words());
  }

  private BigDecimal gap(int i) {
    return moments.get(i).number().subtract(moments.get(i - 1).number());
  }

  /// A gap in words.
  private String length(BigDecimal gap) {
    if (form.kind() == Kind.NUMBER) return gap.toPlainString();
    for (int unit : new int[] {DAY, HOUR, MINUTE})
      if (gap.remainder(BigDecimal.valueOf(unit)).signum() == 0) {
        long count = gap.longValueExact() / unit;
        String word = unit == DAY ? "day" : unit == HOUR ? "hour" : "minute";
        return String.format(Locale.ROOT, "%,d %s%s", count, word, count == 1 ? "" : "s");
      }
    return gap.toPlainString() + " seconds";
  }

  private Inference none(String reason) {
    return new Inference(Optional.empty(), 0, duplicates, reason + again());
  }

  private Inference on(Frequency frequency) {
    long steps = frequency.index(moments.getLast()) - frequency.index(moments.getFirst()) + 1;
    long missing = steps - moments.size();
    String gaps =
        missing == 0
            ? "no step is missing"
            : String.format(
                Locale.ROOT, "%,d of %,d steps %s missing", missing, steps, isOrAre(missing));
    return new Inference(
        Optional.of(frequency),
        missing,
        duplicates,
        "its times are %s; %s%s".formatted(frequency.words(), gaps, again()));
  }

  private String again() {
    if (duplicates == 0) return "";
    return String.format(
        Locale.ROOT,
        "; %,d %s the time of another row",
        duplicates,
        duplicates == 1 ? "row has" : "rows have");
  }

  private static String isOrAre(long count) {
    return count == 1 ? "is" : "are";
  }
}
