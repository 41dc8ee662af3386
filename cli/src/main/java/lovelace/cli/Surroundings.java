package lovelace.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Answers the questions of [Doctor] about the machine and the virtual machine. Tests answer in its
/// place.
class Surroundings {

  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final Path MEMORY = Path.of("/proc/meminfo");

  /// A system property; null if it is not set.
  @Nullable String property(String name) {
    return System.getProperty(name);
  }

  /// A variable of the environment; null if it is not set.
  @Nullable String variable(String name) {
    return System.getenv(name);
  }

  /// Whether there is an OpenBLAS for this platform.
  boolean hasNatives() {
    String system = String.valueOf(property("os.name")).toLowerCase(Locale.ROOT);
    String processor = String.valueOf(property("os.arch"));
    boolean arm = processor.equals("aarch64") || processor.equals("arm64");
    boolean intel = processor.equals("amd64") || processor.equals("x86_64");
    return (system.startsWith("linux") && (arm || intel)) || (system.startsWith("mac") && arm);
  }

  /// The library of this process whose name begins with `name`; null if it is not known.
  @Nullable Path loaded(String name) {
    try (Stream<String> lines = Files.lines(MAPS)) {
      return lines
          .filter(line -> line.indexOf('/') >= 0)
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          .filter(file -> String.valueOf(file.getFileName()).startsWith(name))
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null; // not Linux
    }
  }

  /// Whether this process has mapped a file. If that cannot be seen, whether the file exists.
  boolean loaded(Path file) {
    if (Files.notExists(MAPS)) return Files.isReadable(file);
    Path found = loaded(String.valueOf(file.getFileName()));
    return found != null && found.equals(file.toAbsolutePath());
  }

  /// Whether the jars of networks are present.
  boolean hasNetworks() {
    ClassLoader loader = Surroundings.class.getClassLoader();
    return loader.getResource("ai/djl/pytorch/engine/PtEngine.class") != null
        && loader.getResource("native/lib/pytorch.properties") != null;
  }

  /// Loads PyTorch, lets it multiply two matrices, and returns its version.
  String network() {
    return DoctorNetwork.product();
  }

  int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /// The most bytes that the heap may take.
  long heap() {
    return Runtime.getRuntime().maxMemory();
  }

  /// The bytes of the machine's memory.
  long machineMemory() {
    try (Stream<String> lines = Files.lines(MEMORY)) {
      return lines
              .filter(line -> line.startsWith("MemTotal:"))
              .map(line -> line.replaceAll("[^0-9]", ""))
              .mapToLong(Long::parseLong)
              .findFirst()
              .orElse(0)
          << 10;
    } catch (IOException e) {
      return total(); // not Linux
    }
  }

  /// The memory limit of the container in bytes; null if there is none.
  @Nullable Long containerMemory() {
    long total = total();
    return total < machineMemory() ? total : null;
  }

  private static long total() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : 0;
  }

  /// An option of the virtual machine; empty if it is not set.
  String option(String name) {
    try {
      String value =
          ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class)
              .getVMOption(name)
              .getValue();
      return value == null ? "" : value;
    } catch (IllegalArgumentException e) {
      return ""; // another virtual machine
    }
  }

  /// The language of the user. Lovelace itself does not follow it.
  String locale() {
    for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String value = variable(name);
      if (value != null && !value.isEmpty()) return value;
    }
    return "none";
  }
}
