package lovelace.server;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts of what a server did, in the text format of Prometheus.
public final class Metrics {

  /// The upper bounds of the latency buckets as seconds.
  private static final double[] BOUNDS = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10
  };

  private record Key(String endpoint, int status) {}

  private static final class Latency {
    final LongAdder[] buckets = new LongAdder[BOUNDS.length + 1];
    final LongAdder nanoseconds = new LongAdder();

    Latency() {
      for (int i = 0; i < buckets.length; i++) buckets[i] = new LongAdder();
    }
  }

  private final Map<Key, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<String, Latency> latencies = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> rows = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> observations = new ConcurrentHashMap<>();

  Metrics() {}

  void request(String endpoint, int status, long nanoseconds) {
    requests.computeIfAbsent(new Key(endpoint, status), k -> new LongAdder()).increment();
    Latency latency = latencies.computeIfAbsent(endpoint, k -> new Latency());
    int bucket = 0;
    while (bucket < BOUNDS.length && nanoseconds > BOUNDS[bucket] * 1e9) bucket++;
    latency.buckets[bucket].increment();
    latency.nanoseconds.add(nanoseconds);
  }

  void rows(String model, int count) {
    rows.computeIfAbsent(model, k -> new LongAdder()).add(count);
  }

  void observed(String model, int count) {
    observations.computeIfAbsent(model, k -> new LongAdder()).add(count);
  }

  /// Everything as text.
  String text(Repository models, Gate gate, long studio, String version, boolean updates) {
    StringBuilder out = new StringBuilder();
    head(out, "lovelace_requests_total", "counter", "Requests answered.");
    requests.forEach(
        (key, count) ->
            out.append(
                String.format(
                    Locale.ROOT,
                    "lovelace_requests_total{endpoint=\"%s\",status=\"%d\"} %d\n",
                    key.endpoint,
                    key.status,
                    count.sum())));
    head(out, "lovelace_rows_total", "counter", "Rows predicted.");
    rows.forEach((model, count) -> line(out, "lovelace_rows_total", model, count.sum()));
    head(out, "lovelace_observations_total", "counter", "Observations taken.");
    observations.forEach(
        (model, count) -> line(out, "lovelace_observations_total", model, count.sum()));
    head(out, "lovelace_request_seconds", "histogram", "Time from a request's head to its answer.");
    latencies.forEach((endpoint, latency) -> histogram(out, endpoint, latency));
    head(out, "lovelace_requests_active", "gauge", "Requests being worked on.");
    out.append("lovelace_requests_active ").append(gate.inside()).append('\n');
    head(out, "lovelace_memory_reserved_bytes", "gauge", "Memory of requests being worked on.");
    out.append("lovelace_memory_reserved_bytes ").append(gate.reserved()).append('\n');
    head(out, "lovelace_studio_bytes", "gauge", "Memory of the studio's tables and copies.");
    out.append("lovelace_studio_bytes ").append(studio).append('\n');
    head(out, "lovelace_model_info", "gauge", "Models that are served.");
    List<Served> all =
        models.names().stream().flatMap(name -> models.versions(name).stream()).toList();
    for (Served served : all)
      out.append(
          String.format(
              Locale.ROOT,
              "lovelace_model_info{model=\"%s\",version=\"%s\",kernel=\"%s\",columns=\"%d\"} 1\n",
              escaped(served.name()),
              escaped(served.number()),
              escaped(served.model().hyperparameters().kernel().toString()),
              served.model().columns().size()));
    head(out, "lovelace_model_observations", "gauge", "Observations a model has learned from.");
    for (Served served : all)
      out.append(
          String.format(
              Locale.ROOT,
              "lovelace_model_observations{model=\"%s\",version=\"%s\"} %d\n",
              escaped(served.name()),
              escaped(served.number()),
              served.model().count()));
    head(out, "lovelace_model_file_broken", "gauge", "Model files that cannot be loaded.");
    for (Repository.Broken one : models.broken())
      out.append(
          "lovelace_model_file_broken{model=\"%s\",version=\"%s\",serving=\"%s\"} 1\n"
              .formatted(
                  escaped(one.name()),
                  escaped(one.version()),
                  models.served(one.name(), one.version()) != null));
    head(out, "lovelace_observations_refused", "gauge", "Whether a model takes no observations.");
    for (Served served : all)
      if (updates)
        out.append(
            String.format(
                Locale.ROOT,
                "lovelace_observations_refused{model=\"%s\",version=\"%s\"} %d\n",
                escaped(served.name()),
                escaped(served.number()),
                served.refusal() == null ? 0 : 1));
    head(out, "lovelace_info", "gauge", "The server.");
    out.append("lovelace_info{version=\"%s\"} 1\n".formatted(escaped(version)));
    Runtime runtime = Runtime.getRuntime();
    head(out, "lovelace_heap_used_bytes", "gauge", "Heap in use.");
    out.append("lovelace_heap_used_bytes ")
        .append(runtime.totalMemory() - runtime.freeMemory())
        .append('\n');
    return out.toString();
  }

  private static void histogram(StringBuilder out, String endpoint, Latency latency) {
    String name = "lovelace_request_seconds";
    long sum = 0;
    for (int i = 0; i <= BOUNDS.length; i++) {
      sum += latency.buckets[i].sum();
      out.append(
          String.format(
              Locale.ROOT,
              "%s_bucket{endpoint=\"%s\",le=\"%s\"} %d\n",
              name,
              endpoint,
              i < BOUNDS.length ? BOUNDS[i] : "+Inf",
              sum));
    }
    out.append(
        "%s_sum{endpoint=\"%s\"} %s\n".formatted(name, endpoint, latency.nanoseconds.sum() / 1e9));
    out.append(String.format(Locale.ROOT, "%s_count{endpoint=\"%s\"} %d\n", name, endpoint, sum));
  }

  private static void head(StringBuilder out, String name, String type, String help) {
    out.append("# HELP %s %s\n# TYPE %s %s\n".formatted(name, help, name, type));
  }

  private static void line(StringBuilder out, String name, String model, long value) {
    out.append(String.format(Locale.ROOT, "%s{model=\"%s\"} %d\n", name, escaped(model), value));
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
