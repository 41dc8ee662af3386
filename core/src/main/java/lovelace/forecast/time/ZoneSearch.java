package lovelace.forecast.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Finds a zone by the offsets that its clocks had.
final class ZoneSearch {

  /// Zones whose rules many others share. They come before the others, which come by name.
  private static final List<String> KNOWN =
      List.of(
          "Europe/Berlin",
          "Europe/London",
          "Europe/Athens",
          "America/New_York",
          "America/Chicago",
          "America/Denver",
          "America/Los_Angeles",
          "America/Halifax",
          "Australia/Sydney",
          "Pacific/Auckland");

  private ZoneSearch() {}

  /// The first zone that had all these offsets at these times.
  static Optional<ZoneId> of(Map<Instant, ZoneOffset> seen) {
    Set<String> others = new TreeSet<>(ZoneId.getAvailableZoneIds());
    others.removeIf(name -> name.indexOf('/') < 0 || name.startsWith("Etc/"));
    List<String> names = new ArrayList<>(KNOWN);
    names.addAll(others);
    return names.stream().map(ZoneId::of).filter(zone -> had(zone, seen)).findFirst();
  }

  private static boolean had(ZoneId zone, Map<Instant, ZoneOffset> seen) {
    for (Map.Entry<Instant, ZoneOffset> each : seen.entrySet())
      if (!zone.getRules().getOffset(each.getKey()).equals(each.getValue())) return false;
    return true;
  }
}
