package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.Stream;
import lovelace.linear.Blas;

/// The machine and the Java of a run.
final class Machine {

  private Machine() {}

  static ObjectNode describe() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("name", host());
    node.put("processor", processor());
    node.put("cores", Runtime.getRuntime().availableProcessors());
    node.put("threads", threads());
    node.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    node.put("jdk", System.getProperty("java.vendor") + " " + Runtime.version());
    node.put("blas", Blas.provider());
    return node;
  }

  /// The machine in one line.
  static String line(ObjectNode machine) {
    return String.format(
        Locale.ROOT,
        "%s (%s, %d cores, %d threads), %s, %s",
        machine.path("name").asText(),
        machine.path("processor").asText(),
        machine.path("cores").asInt(),
        machine.path("threads").asInt(),
        machine.path("jdk").asText(),
        machine.path("blas").asText());
  }

  /// A short name of the running code: the beginning of a digest of its modules.
  static String build() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Class<?> part : parts()) {
        Path place = Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(place)) {
          for (Path file : files.filter(Files::isRegularFile).sorted().toList())
            digest.update(Files.readAllBytes(file));
        }
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 4);
    } catch (IOException | URISyntaxException | NoSuchAlgorithmException e) {
      return "unknown";
    }
  }

  /// A class of each module that computes. Networks may be missing.
  private static List<Class<?>> parts() {
    try {
      return List.of(Blas.class, Class.forName("lovelace.deep.DeepKernel"), Machine.class);
    } catch (ClassNotFoundException e) {
      return List.of(Blas.class, Machine.class);
    }
  }

  private static int threads() {
    ForkJoinPool own = ForkJoinTask.getPool();
    return own != null ? own.getParallelism() : ForkJoinPool.commonPool().getParallelism() + 1;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unnamed";
    }
  }

  private static String processor() {
    try {
      List<String> lines = Files.readAllLines(Path.of("/proc/cpuinfo"));
      for (String line : lines)
        if (line.startsWith("model name")) return line.substring(line.indexOf(':') + 1).strip();
    } catch (IOException e) {
      // not Linux: use the architecture
    }
    return System.getProperty("os.arch");
  }
}
