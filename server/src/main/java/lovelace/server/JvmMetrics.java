package lovelace.server;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.function.ToLongFunction;

/// Metrics of the Java virtual machine and its process: memory, garbage collection, threads,
/// processor. Names are those of Prometheus' Java client, so that its dashboards work.
final class JvmMetrics {

  private JvmMetrics() {}

  static void write(PrometheusText out) {
    memory(out, "used", "Bytes in use.", MemoryUsage::getUsed);
    memory(out, "committed", "Bytes that the system has given.", MemoryUsage::getCommitted);
    memory(out, "max", "The most bytes there may be.", MemoryUsage::getMax);
    String collections = "jvm_gc_collection_seconds";
    out.family(collections, "summary", "Time spent in each garbage collector.");
    for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans())
      out.sample(collections + "_count", gc.getCollectionCount(), "gc", gc.getName())
          .sample(collections + "_sum", gc.getCollectionTime() / 1e3, "gc", gc.getName());
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    one(out, "jvm_threads_current", "gauge", "Platform threads.", threads.getThreadCount());
    one(out, "jvm_threads_daemon", "gauge", "Daemon threads.", threads.getDaemonThreadCount());
    one(out, "jvm_threads_peak", "gauge", "The most threads so far.", threads.getPeakThreadCount());
    one(
        out,
        "jvm_threads_started_total",
        "counter",
        "Threads started.",
        threads.getTotalStartedThreadCount());
    ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .ifPresent(
            time ->
                one(
                    out,
                    "process_cpu_seconds_total",
                    "counter",
                    "Processor time used.",
                    time.toNanos() / 1e9));
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    one(
        out,
        "process_start_time_seconds",
        "gauge",
        "When the process began, in seconds since 1970.",
        runtime.getStartTime() / 1e3);
    int processors = Runtime.getRuntime().availableProcessors();
    one(out, "system_cpu_count", "gauge", "Processors that may be used.", processors);
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    if (load >= 0) one(out, "system_load_average_1m", "gauge", "Load over one minute.", load);
    out.family("jvm_runtime_info", "gauge", "The Java virtual machine.")
        .sample(
            "jvm_runtime_info",
            1,
            "runtime",
            runtime.getVmName(),
            "vendor",
            runtime.getVmVendor(),
            "version",
            runtime.getVmVersion());
  }

  private static void memory(
      PrometheusText out, String what, String help, ToLongFunction<MemoryUsage> bytes) {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    String name = "jvm_memory_" + what + "_bytes";
    out.family(name, "gauge", help);
    long heap = bytes.applyAsLong(memory.getHeapMemoryUsage());
    long other = bytes.applyAsLong(memory.getNonHeapMemoryUsage());
    if (heap >= 0) out.sample(name, heap, "area", "heap");
    if (other >= 0) out.sample(name, other, "area", "nonheap"); // otherwise the value is undefined
  }

  private static void one(PrometheusText out, String name, String type, String help, Number value) {
    out.family(name, type, help).sample(name, value);
  }
}
