package lovelace.cli;

/// How the memory that `--memory` allows to a process is shared out: to Java's heap, to DuckDB, and
/// to what lies outside of both, such as code, threads, and what the collector and the libraries of
/// numbers keep. The launcher computes the heap in the same way, before there is a Java.
final class Memory {

  private static final long MEGABYTE = 1 << 20;

  /// DuckDB reads no table with half of this.
  private static final long LEAST = 64 * MEGABYTE;

  private static final long MOST = 1024 * MEGABYTE;

  /// What a process takes that does nothing.
  private static final long BASE = 160 * MEGABYTE;

  private Memory() {}

  /// The bytes of DuckDB: a sixteenth, but 64 MB or more, and 1 GB or less.
  static long database(long bytes) {
    return Math.clamp(bytes / 16, LEAST, MOST);
  }

  /// The bytes of the heap: what DuckDB, 160 MB and a twentieth leave, but half or more of it all.
  static long heap(long bytes) {
    return Math.max(bytes / 2, bytes - database(bytes) - BASE - bytes / 20);
  }

  /// The option that gives Java that heap.
  static String option(long bytes) {
    return "-Xmx" + Math.max(1, heap(bytes) / MEGABYTE) + "m";
  }
}
