package lovelace.forecast.time;

import static java.time.temporal.ChronoField.PROLEPTIC_MONTH;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The steps of a series: a unit of the calendar, how many of it make a step, and where the steps
/// lie. [#index] numbers the steps and [#at] is its exact inverse.
///
/// Years, quarters, months, weeks, days and business days are civil: they follow the clock on the
/// wall, so a day may have 23 or 25 hours in a zone. Hours, minutes and seconds are physical, so an
/// hourly series in a zone has a step for each of those 23 or 25 hours. A civil time that clocks
/// skip is as much later as they skip. Business days are Mondays to Fridays.
///
/// Two frequencies are equal if they have the same steps with the same numbers. Number 0 is the
/// first step from 1970-01-01T00:00 on, or the smallest number that is not negative.
///
/// @param unit the unit
/// @param multiple the number of units in a step: whole, except for seconds and plain numbers
/// @param phase the step of number 0; for civil units its time on the clock of the zone, as
///   [Moment#local()] reads it
/// @param day the day of the month on which years, quarters and months lie, and the last day where
///   a month is shorter, so 31 is the end of the month; 0 for other units
/// @param zone the zone of the times; empty if they had none
public record Frequency(Unit unit, double multiple, Moment phase, int day, Optional<ZoneId> zone) {

  /// The day of the month that stands for the end of each month.
  public static final int END = 31;

  private static final int WEEKDAYS = 5, WEEK = 7;

  /// The epoch was a Thursday, three days after a Monday.
  private static final int FROM_MONDAY = 3;

  private static final long DAY_SECONDS = 86_400;

  /// The days of a year, on average.
  private static final double YEAR_DAYS = 365.25;

  /// The units of steps, from the longest.
  public enum Unit {
    /// Calendar years.
    YEAR("Y", "year", 12, 0),
    /// Calendar quarters.
    QUARTER("Q", "quarter", 3, 0),
    /// Calendar months.
    MONTH("M", "month", 1, 0),
    /// Seven days.
    WEEK("W", "week", 0, 0),
    /// Civil days.
    DAY("D", "day", 0, 0),
    /// Mondays to Fridays.
    BUSINESS_DAY("B", "business day", 0, 0),
    /// Sixty minutes.
    HOUR("h", "hour", 0, 3_600),
    /// Sixty seconds.
    MINUTE("min", "minute", 0, 60),
    /// Seconds.
    SECOND("s", "second", 0, 1),
    /// Plain numbers, with no calendar.
    NUMBER("", "unit", 0, 1);

    /// The letters by which data people know the unit, the unit in words, its months, and its
    /// seconds if it is physical.
    final String letters, word;

    final int months, seconds;

    Unit(String letters, String word, int months, int seconds) {
      this.letters = letters;
      this.word = word;
      this.months = months;
      this.seconds = seconds;
    }

    /// Whether steps follow the clock on the wall.
    public boolean civil() {
      return seconds == 0;
    }
  }

  /// The civil days that a step covers.
  ///
  /// @param first the first day
  /// @param last the last day, which belongs to the step too
  public record Days(LocalDate first, LocalDate last) {}

  public Frequency {
    if (!(multiple > 0) || Double.isInfinite(multiple))
      throw new IllegalArgumentException("multiple must be > 0, got " + multiple);
    boolean fractions = unit == Unit.SECOND || unit == Unit.NUMBER;
    if (!fractions && (multiple != Math.rint(multiple) || multiple > Integer.MAX_VALUE))
      throw new IllegalArgumentException(
          "multiple must be a whole number of %ss, got %s; choose a smaller unit"
              .formatted(unit.word, multiple));
    if (unit.months > 0 ? day < 1 || day > END : day != 0)
      throw new IllegalArgumentException(
          "day must be from 1 to 31 for years, quarters and months, and 0 for other units, got "
              + day);
    if (unit == Unit.NUMBER && zone.isPresent())
      throw new IllegalArgumentException("plain numbers have no zone, got " + zone.get());
    if (unit.civil()) {
      LocalDateTime time = phase.local();
      long first = Math.floorMod(position(unit, time.toLocalDate()), stride(unit, multiple));
      LocalDate date = date(unit, day, first);
      if (unit == Unit.BUSINESS_DAY && weekend(time.toLocalDate()))
        throw new IllegalArgumentException(
            "business days must not lie on a weekend, got " + time.toLocalDate());
      phase = Moment.of(date.atTime(time.toLocalTime()));
    } else {
      BigDecimal step = length(unit, multiple);
      if (Moment.of(step).equals(new Moment(0, 0)))
        throw new IllegalArgumentException("multiple must be at least 1e-9, got " + multiple);
      BigDecimal rest = phase.number().remainder(step);
      phase = Moment.of(rest.signum() < 0 ? rest.add(step) : rest);
    }
  }

  /// The frequency with steps of one unit that has a step at a moment. Years, quarters and months
  /// lie on the day of that moment.
  public static Frequency through(
      Moment moment, Unit unit, double multiple, Optional<ZoneId> zone) {
    LocalDateTime time = moment.local(zone);
    int day = unit.months > 0 ? time.getDayOfMonth() : 0;
    return new Frequency(unit, multiple, unit.civil() ? Moment.of(time) : moment, day, zone);
  }

  /// Reads a frequency as [#text] writes it, or in the spelling of pandas or polars: `Y Q M W D B h
  /// min s` with a number before, such as `15min`, and `MS`, `ME`, `QS-FEB`, `W-SUN`, `H`, `T`,
  /// `1mo`, `monthly`. A number alone is a step of plain numbers.
  ///
  /// Letters say where steps lie as in pandas: `M` at the end of months and `MS` at their start.
  /// [#onto] moves the steps to where the times of a table are.
  ///
  /// @throws IllegalArgumentException if the text is no frequency
  public static Frequency parse(String text) {
    return FrequencyText.parse(text);
  }

  /// Finds the frequency of one series.
  ///
  /// @param moments the moments of its rows, in any order
  /// @param form the form that they were read in
  public static Inference infer(List<Moment> moments, TimeForm form) {
    return FrequencySearch.one(moments, form);
  }

  /// Finds the frequency of many series: that of most of them.
  ///
  /// @param series the moments of each series, in any order
  /// @param form the form that they were read in
  public static Inference.OfMany inferMany(List<List<Moment>> series, TimeForm form) {
    return FrequencyVote.of(series, form);
  }

  /// Moves the steps, without changing their length, to where the moments of a series lie. The
  /// result has no frequency if they lie on no such steps.
  public Inference onto(List<Moment> moments, TimeForm form) {
    return FrequencySearch.onto(this, moments, form);
  }

  /// The moment of a step.
  public Moment at(long index) {
    if (unit.civil()) {
      long place = Math.multiplyExact(index, stride(unit, multiple)) + position(unit, start());
      LocalDate date = date(unit, day, place);
      if (zone.isPresent()) return Moment.of(date.atTime(phase.local().toLocalTime()), zone);
      long clock = Math.floorMod(phase.whole(), DAY_SECONDS);
      return new Moment(date.toEpochDay() * DAY_SECONDS + clock, phase.nano());
    }
    double step = multiple * unit.seconds;
    if (whole(step))
      return new Moment(
          Math.addExact(phase.whole(), Math.multiplyExact(index, (long) step)), phase.nano());
    return Moment.of(
        phase.number().add(length(unit, multiple).multiply(BigDecimal.valueOf(index))));
  }

  /// The number of the step at a moment.
  ///
  /// @throws IllegalArgumentException if no step lies there
  public long index(Moment moment) {
    long index = floor(moment);
    if (at(index).equals(moment)) return index;
    throw new IllegalArgumentException(
        "%s is not a step of %s; the steps around it are %s and %s"
            .formatted(show(moment), words(), show(at(index)), show(at(index + 1))));
  }

  /// Whether a step lies at a moment.
  public boolean holds(Moment moment) {
    return find(moment).isPresent();
  }

  /// The number of the step at a moment; empty if no step lies there.
  OptionalLong find(Moment moment) {
    long index = floor(moment);
    return at(index).equals(moment) ? OptionalLong.of(index) : OptionalLong.empty();
  }

  /// The number of the last step at or before a moment.
  public long floor(Moment moment) {
    if (unit.civil()) {
      LocalDate date = moment.local(zone).toLocalDate();
      long index =
          Math.floorDiv(position(unit, date) - position(unit, start()), stride(unit, multiple));
      while (at(index).compareTo(moment) > 0) index--;
      if (zone.isEmpty()) return index; // no clock that could have skipped a day
      while (at(index + 1).compareTo(moment) <= 0) index++;
      return index;
    }
    double step = multiple * unit.seconds;
    if (whole(step))
      return Math.floorDiv(
          Math.subtractExact(moment.whole(), phase.whole())
              - (moment.nano() < phase.nano() ? 1 : 0),
          (long) step);
    BigInteger steps =
        moment
            .number()
            .subtract(phase.number())
            .divide(length(unit, multiple), 0, RoundingMode.FLOOR)
            .toBigIntegerExact();
    return steps.longValueExact();
  }

  /// The civil days that a step covers.
  ///
  /// A year, quarter or month whose steps lie at the end of months ends with the month of its step,
  /// and any other begins with it. A week whose steps lie on Mondays begins there, and any other
  /// ends on the day of its step, as in pandas. A business day covers itself, and shorter steps the
  /// day on which they begin.
  ///
  /// @throws IllegalStateException if the steps are plain numbers
  public Days days(long index) {
    if (unit == Unit.NUMBER)
      throw new IllegalStateException("plain numbers have no days; give the table dates");
    LocalDate date = at(index).local(zone).toLocalDate();
    long length = stride(unit, multiple);
    if (unit.months > 0) {
      YearMonth month = YearMonth.from(date);
      YearMonth first = day == END ? month.minusMonths(length - 1) : month;
      return new Days(first.atDay(1), first.plusMonths(length - 1).atEndOfMonth());
    }
    if (unit == Unit.WEEK)
      return date.getDayOfWeek() == DayOfWeek.MONDAY
          ? new Days(date, date.plusDays(length - 1))
          : new Days(date.minusDays(length - 1), date);
    if (unit == Unit.DAY) return new Days(date, date.plusDays(length - 1));
    LocalDate last =
        unit == Unit.BUSINESS_DAY ? date(unit, 0, position(unit, date) + length - 1) : date;
    return new Days(date, last);
  }

  /// The usual lengths of seasons in steps, from the shortest: a day, a week, a year. Returns only
  /// seasons of at least two steps of which at least two fit. Two years of 365 days count as two.
  ///
  /// @param length the length of the series in steps
  public double[] seasons(long length) {
    double[] units =
        switch (unit) {
          case YEAR, NUMBER -> new double[0];
          case QUARTER -> new double[] {4};
          case MONTH -> new double[] {12};
          case WEEK -> new double[] {YEAR_DAYS / WEEK};
          case DAY -> new double[] {WEEK, YEAR_DAYS};
          case BUSINESS_DAY -> new double[] {WEEKDAYS, 261};
          case HOUR -> new double[] {24, 24 * WEEK, 24 * YEAR_DAYS};
          case MINUTE -> new double[] {1_440, 1_440 * WEEK, 1_440 * YEAR_DAYS};
          case SECOND -> new double[] {3_600, DAY_SECONDS, DAY_SECONDS * WEEK};
        };
    return Arrays.stream(units)
        .map(each -> each / multiple)
        .filter(
            season ->
                season >= 2 && (2 * season <= length || (season > 300 && 1.99 * season <= length)))
        .toArray();
  }

  /// The day of the week on which weeks lie; empty for other units.
  public Optional<DayOfWeek> dayOfWeek() {
    return unit == Unit.WEEK ? Optional.of(start().getDayOfWeek()) : Optional.empty();
  }

  /// The month on which quarters lie, from 1 to 3 in each quarter; 0 for other units.
  public int monthOfQuarter() {
    return unit == Unit.QUARTER ? (start().getMonthValue() - 1) % 3 + 1 : 0;
  }

  /// The frequency as data people write it: `Y Q M W D B h min s` after the multiple, unless that
  /// is 1, as in `15min`. It does not say where the steps lie.
  public String text() {
    return FrequencyText.text(this);
  }

  /// The frequency in words for people, such as `months, on the last day of each`.
  public String words() {
    return FrequencyText.words(this);
  }

  @Override
  public String toString() {
    return text();
  }

  /// A moment for people who have no form of a column at hand.
  String show(Moment moment) {
    return unit == Unit.NUMBER
        ? moment.number().toPlainString()
        : moment.local(zone) + zone.map(each -> " in " + each).orElse("");
  }

  private LocalDate start() {
    return LocalDate.ofEpochDay(Math.floorDiv(phase.whole(), DAY_SECONDS));
  }

  private static boolean whole(double step) {
    return step == Math.rint(step) && step < 1L << 53;
  }

  /// The length of a physical step.
  private static BigDecimal length(Unit unit, double multiple) {
    return BigDecimal.valueOf(multiple)
        .multiply(BigDecimal.valueOf(unit.seconds))
        .setScale(Moment.DECIMALS, RoundingMode.HALF_EVEN);
  }

  /// The length of a civil step in months, days or business days.
  private static long stride(Unit unit, double multiple) {
    return ((long) multiple) * (unit.months > 0 ? unit.months : unit == Unit.WEEK ? WEEK : 1);
  }

  /// The months, days or business days from 1970 to a date. A weekend counts as its Friday.
  static long position(Unit unit, LocalDate date) {
    if (unit.months > 0)
      return date.getLong(PROLEPTIC_MONTH) - LocalDate.EPOCH.getLong(PROLEPTIC_MONTH);
    if (unit != Unit.BUSINESS_DAY) return date.toEpochDay();
    long days = date.toEpochDay() + FROM_MONDAY;
    return Math.floorDiv(days, WEEK) * WEEKDAYS
        + Math.min(Math.floorMod(days, WEEK), WEEKDAYS - 1)
        - FROM_MONDAY;
  }

  /// The date at a position.
  private static LocalDate date(Unit unit, int day, long position) {
    if (unit.months > 0) {
      YearMonth month = YearMonth.from(LocalDate.EPOCH).plusMonths(position);
      return month.atDay(Math.min(day, month.lengthOfMonth()));
    }
    if (unit != Unit.BUSINESS_DAY) return LocalDate.ofEpochDay(position);
    long days = position + FROM_MONDAY;
    return LocalDate.ofEpochDay(
        Math.floorDiv(days, WEEKDAYS) * WEEK + Math.floorMod(days, WEEKDAYS) - FROM_MONDAY);
  }

  static boolean weekend(LocalDate date) {
    return date.getDayOfWeek().getValue() > WEEKDAYS;
  }
}
