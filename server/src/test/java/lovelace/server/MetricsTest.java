package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTest {

  @TempDir Path folder;

  /// Only the protocol's addresses count as `infer` and `observe`.
  @Test
  void addressesOfTheStudioCountAsTheStudio() throws Exception {
    Path file = folder.resolve("line.lvl");
    Trial.line(40, 1).save(file);
    try (Server server = Trial.start(Trial.options(file))) {
      Trial.post(server, "/studio/api/sessions/0/observe", "{}");
      Trial.post(server, "/somewhere/infer", "{}");
      Trial.post(server, "/v2/models/none/observe", "{}");
      String text = "";
      long end = System.nanoTime() + 10_000_000_000L;
      while (!text.contains("endpoint=\"observe\"") && System.nanoTime() < end)
        text = Trial.get(server, "/metrics").body(); // counted when sent
      for (String endpoint : List.of("studio", "page", "observe"))
        assertTrue(
            text.contains(
                "lovelace_requests_total{endpoint=\"%s\",status=\"404\"} 1\n".formatted(endpoint)),
            text);
      assertFalse(text.contains("endpoint=\"infer\""), text);
    }
  }

  /// Names that dashboards and alerts are made with.
  @Test
  void everyMetricIsThereAndValid() throws IOException, InterruptedException {
    Path file = folder.resolve("a \"b\" \\c.lvl");
    Trial.line(40, 1).save(file);
    try (Server server = Trial.start(Trial.options(file).withUpdates(true))) {
      Trial.get(server, "/v2/models/none");
      Trial.get(server, "/metrics");
      String text = Trial.get(server, "/metrics").body();
      assertEquals(
          List.of(
              "lovelace_requests_total",
              "lovelace_rows_total",
              "lovelace_observations_total",
              "lovelace_request_seconds",
              "lovelace_requests_active",
              "lovelace_memory_reserved_bytes",
              "lovelace_studio_bytes",
              "lovelace_model_info",
              "lovelace_model_series",
              "lovelace_model_observations",
              "lovelace_model_file_broken",
              "lovelace_observations_refused",
              "lovelace_info",
              "lovelace_heap_used_bytes"),
          PrometheusFamilies.parse(text).keySet().stream()
              .filter(name -> name.startsWith("lovelace_"))
              .toList());
      for (String name :
          List.of(
              "jvm_memory_used_bytes",
              "jvm_memory_committed_bytes",
              "jvm_memory_max_bytes",
              "jvm_gc_collection_seconds",
              "jvm_threads_current",
              "jvm_threads_daemon",
              "jvm_threads_peak",
              "jvm_threads_started_total",
              "process_cpu_seconds_total",
              "process_start_time_seconds",
              "system_cpu_count",
              "jvm_runtime_info")) {
        List<PrometheusFamilies.Sample> samples = PrometheusFamilies.samples(text, name);
        assertTrue(!samples.isEmpty(), name);
        for (var sample : samples) assertTrue(sample.value() >= 0, sample.toString());
      }
      assertEquals(
          "a \"b\" \\c",
          PrometheusFamilies.samples(text, "lovelace_model_info")
              .getFirst()
              .labels()
              .getOrDefault("model", ""));
    }
  }

  @Test
  void latenciesAreCountedInTheirBuckets() {
    Metrics metrics = new Metrics();
    for (long nanoseconds : new long[] {1, 100_000, 100_001, 20_000_000_000L})
      metrics.request("infer", 200, nanoseconds);
    var samples =
        PrometheusFamilies.samples(
            metrics.latencies(new PrometheusText()).toString(), "lovelace_request_seconds");
    assertEquals(2, samples.get(0).value(), "up to 0.1 ms");
    assertEquals(3, samples.get(1).value(), "up to 0.25 ms");
    assertEquals(3, samples.get(14).value(), "up to 10 s");
    assertEquals(4, samples.get(15).value(), "all");
  }

  @Test
  void labelsReadBackAsTheyWere() {
    String odd = "a\"b\\n\\\nc,d=\"{}";
    String text =
        new PrometheusText().family("x", "gauge", "X.").sample("x", 1.5, "l", odd, "m", "") + "";
    var sample = PrometheusFamilies.samples(text, "x").getFirst();
    assertEquals(Map.of("l", odd, "m", ""), sample.labels());
  }

  @Test
  void theReaderIsStrict() {
    String head = "# HELP x X.\n# TYPE x gauge\n";
    PrometheusFamilies.parse(head + "x 1\nx{a=\"b\"} 2\n");
    for (String wrong :
        List.of(
            "x 1\n",
            head + "x 1",
            head + "x 1\nx 2\n",
            head + "y 1\n",
            head + "x{a=\"b} 1\n",
            head + "x{a=\"\\b\"} 1\n",
            head + "x one\n",
            head + head,
            head + "\n",
            "# HELP x X.\n# TYPE x counter\nx 1\n",
            "# HELP x X.\n# TYPE x histogram\nx_bucket{le=\"1\"} 1\nx_sum 1\nx_count 1\n"))
      assertThrows(AssertionError.class, () -> PrometheusFamilies.parse(wrong), wrong);
  }
}
