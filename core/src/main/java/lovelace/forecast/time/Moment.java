package lovelace.forecast.time;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/// A place on the axis of time: the seconds since 1970-01-01T00:00, or a plain number.
///
/// The seconds are those of UTC if the column of the moment has zones, and those of its own clock
/// if it has none. A moment does not know which of them it is; its [TimeForm] and [Frequency] do.
/// Numbers are kept to nine decimals, exactly.
///
/// @param whole the whole seconds, or the number rounded down
/// @param nano the rest in billionths, from 0 to 999,999,999
public record Moment(long whole, int nano) implements Comparable<Moment> {

  /// The decimals of a moment.
  static final int DECIMALS = 9;

  private static final int BILLION = 1_000_000_000;

  public Moment {
    if (nano < 0 || nano >= BILLION)
      throw new IllegalArgumentException(
          "nano must be from 0 to 999,999,999, got " + nano + "; carry the rest into whole");
  }

  /// The moment of a time without a zone.
  public static Moment of(LocalDateTime time) {
    return of(time.toInstant(ZoneOffset.UTC));
  }

  /// The first moment of a day without a zone.
  public static Moment of(LocalDate day) {
    return of(day.atStartOfDay());
  }

  /// The moment of a time with a zone.
  public static Moment of(Instant time) {
    return new Moment(time.getEpochSecond(), time.getNano());
  }

  /// The moment at which clocks of the zone show a time, or the time itself if there is no zone. A
  /// time that clocks skip is as much later as they skip; of a time that they show twice this is
  /// the first.
  public static Moment of(LocalDateTime time, Optional<ZoneId> zone) {
    return zone.isEmpty() ? of(time) : of(time.atZone(zone.get()).toInstant());
  }

  /// A plain number.
  ///
  /// @throws IllegalArgumentException if it has more than nine decimals, or 2⁶³ or more
  public static Moment of(BigDecimal number) {
    BigDecimal floor = number.setScale(0, RoundingMode.FLOOR);
    BigDecimal rest = number.subtract(floor).movePointRight(DECIMALS);
    if (rest.stripTrailingZeros().scale() > 0)
      throw new IllegalArgumentException(
          "a number on the axis of time has at most 9 decimals, got " + number + "; round it");
    if (floor.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0)
      throw new IllegalArgumentException(
          "a number on the axis of time must be below 2^63, got " + number + "; use larger units");
    return new Moment(floor.longValueExact(), rest.intValueExact());
  }

  /// The time of a moment without a zone.
  public LocalDateTime local() {
    return LocalDateTime.ofEpochSecond(whole, nano, ZoneOffset.UTC);
  }

  /// The time of a moment with a zone.
  public Instant instant() {
    return Instant.ofEpochSecond(whole, nano);
  }

  /// The time that clocks of the zone show, or [#local] if there is no zone.
  public LocalDateTime local(Optional<ZoneId> zone) {
    return zone.isEmpty() ? local() : LocalDateTime.ofInstant(instant(), zone.get());
  }

  /// The moment as a number: itself, or the seconds since 1970.
  public BigDecimal number() {
    return nano == 0
        ? BigDecimal.valueOf(whole)
        : BigDecimal.valueOf(whole).add(BigDecimal.valueOf(nano, DECIMALS)).stripTrailingZeros();
  }

  @Override
  public int compareTo(Moment other) {
    return whole != other.whole
        ? Long.compare(whole, other.whole)
        : Integer.compare(nano, other.nano);
  }
}
