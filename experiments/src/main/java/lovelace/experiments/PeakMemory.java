package lovelace.experiments;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The most memory that this process has used so far.
public final class PeakMemory {

  private static final Path STATUS = Path.of("/proc/self/status");

  private PeakMemory() {}

  /// The largest resident set if the system tells it (Linux), in bytes. Otherwise the maximum of
  /// Java's own pools, without native memory.
  public static long bytes() throws IOException {
    if (Files.exists(STATUS))
      for (String line : Files.readAllLines(STATUS))
        if (line.startsWith("VmHWM:"))
          return 1024 * Long.parseLong(line.replaceAll("\\D", "")); // given in kB
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToLong(usage -> usage == null ? 0 : usage.getUsed())
        .sum();
  }

  /// The same for people.
  public static String text() throws IOException {
    return String.format(Locale.ROOT, "%,d kB", bytes() / 1024);
  }
}
