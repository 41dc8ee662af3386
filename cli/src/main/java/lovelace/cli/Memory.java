package lovelace.cli;

/// Divides the memory that `--memory` allows to a process: between Java's heap, DuckDB, and the
/// rest, such as code, threads, the collector and the libraries of numbers. The launcher computes
/// the heap in the same way before Java starts.
final class Memory {

  private static final long MEGABYTE = 1 << 20;

  /// The least memory of DuckDB. It cannot read a table with half of this.
  private static final long LEAST = 64 * MEGABYTE;

  private static final long MOST = 1024 * MEGABYTE;

  /// The memory of an idle process.
  private static final long BASE = 160 * MEGABYTE;

  private Memory() {}

  /// The bytes for DuckDB: a sixteenth of all, but at least 64 MB and at most 1 GB.
  static long database(long bytes) {
    return Math.clamp(bytes / 16, LEAST, MOST);
  }

  /// The bytes for DuckDB where it sorts the series of a whole table: three eighths of all, but at
  /// least 64 MB and at most 4 GB.
  static long series(long bytes) {
    return Math.clamp(bytes / 8 * 3, LEAST, 4 * MOST);
  }

  /// The heap beside it.
  static long seriesHeap(long bytes) {
    return Math.max(bytes / 2, bytes - series(bytes) - BASE - bytes / 20);
  }

  /// The bytes for the heap: all except DuckDB's share, 160 MB and a twentieth, but at least half
  /// of all.
  static long heap(long bytes) {
    return Math.max(bytes / 2, bytes - database(bytes) - BASE - bytes / 20);
  }

  /// The option that gives Java this heap.
  static String option(long bytes) {
    return "-Xmx" + Math.max(1, heap(bytes) / MEGABYTE) + "m";
  }
}
