package lovelace.server;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import lovelace.Model;

/// Counts the work of a server, for Prometheus. docs/decisions/metrics.md says why these metrics
/// are our own.
public final class Metrics {

  /// The upper bounds of the latency buckets in seconds.
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

  /// All metrics as text.
  String text(Repository models, Gate gate, long studio, String version, boolean updates) {
    PrometheusText out = new PrometheusText();
    String name = "lovelace_requests_total";
    out.family(name, "counter", "Requests answered.");
    for (var entry : requests.entrySet()) {
      Key key = entry.getKey();
      out.sample(
          name,
          entry.getValue().sum(),
          "endpoint",
          key.endpoint,
          "status",
          Integer.toString(key.status));
    }
    counts(out, "lovelace_rows_total", "Rows predicted.", rows);
    counts(out, "lovelace_observations_total", "Observations taken.", observations);
    latencies(out);
    gauge(out, "lovelace_requests_active", "Requests being worked on.", gate.inside());
    gauge(
        out,
        "lovelace_memory_reserved_bytes",
        "Memory of requests being worked on.",
        gate.reserved());
    gauge(out, "lovelace_studio_bytes", "Memory of the studio's tables and copies.", studio);
    models(out, models, updates);
    out.family("lovelace_info", "gauge", "The server.")
        .sample("lovelace_info", 1, "version", version);
    Runtime runtime = Runtime.getRuntime();
    gauge(
        out,
        "lovelace_heap_used_bytes",
        "Heap in use.",
        runtime.totalMemory() - runtime.freeMemory());
    JvmMetrics.write(out);
    return out.toString();
  }

  private static void models(PrometheusText out, Repository models, boolean updates) {
    List<Served> all =
        models.names().stream().flatMap(name -> models.versions(name).stream()).toList();
    String info = "lovelace_model_info";
    out.family(info, "gauge", "Models that are served.");
    for (Served served : all)
      out.sample(
          info,
          1,
          "model",
          served.name(),
          "version",
          served.number(),
          "kernel",
          switch (served.content()) {
            case ModelContent(Model model) -> model.hyperparameters().kernel().toString();
            case ForecastContent forecasts -> "library";
          },
          "columns",
          Integer.toString(Math.max(1, served.content().form())));
    String series = "lovelace_model_series";
    out.family(series, "gauge", "Series of a file of forecasts.");
    for (Served served : all)
      if (served.content() instanceof ForecastContent forecasts)
        out.sample(series, forecasts.size(), "model", served.name(), "version", served.number());
    String learned = "lovelace_model_observations";
    out.family(learned, "gauge", "Observations a model has learned from.");
    for (Served served : all)
      out.sample(
          learned, served.content().count(), "model", served.name(), "version", served.number());
    String broken = "lovelace_model_file_broken";
    out.family(broken, "gauge", "Model files that cannot be loaded.");
    for (Repository.Broken one : models.broken())
      out.sample(
          broken,
          1,
          "model",
          one.name(),
          "version",
          one.version(),
          "serving",
          Boolean.toString(models.served(one.name(), one.version()) != null));
    String refused = "lovelace_observations_refused";
    out.family(refused, "gauge", "Whether a model takes no observations.");
    for (Served served : all)
      if (updates)
        out.sample(
            refused,
            served.refusal() == null ? 0 : 1,
            "model",
            served.name(),
            "version",
            served.number());
  }

  private static void gauge(PrometheusText out, String name, String help, long value) {
    out.family(name, "gauge", help).sample(name, value);
  }

  private static void counts(
      PrometheusText out, String name, String help, Map<String, LongAdder> counts) {
    out.family(name, "counter", help);
    counts.forEach((model, count) -> out.sample(name, count.sum(), "model", model));
  }

  PrometheusText latencies(PrometheusText out) {
    String help = "Time from a request's head to its answer.";
    out.family("lovelace_request_seconds", "histogram", help);
    latencies.forEach((endpoint, latency) -> histogram(out, endpoint, latency));
    return out;
  }

  private static void histogram(PrometheusText out, String endpoint, Latency latency) {
    String name = "lovelace_request_seconds";
    long sum = 0;
    for (int i = 0; i <= BOUNDS.length; i++) {
      sum += latency.buckets[i].sum();
      String bound = i < BOUNDS.length ? Double.toString(BOUNDS[i]) : "+Inf";
      out.sample(name + "_bucket", sum, "endpoint", endpoint, "le", bound);
    }
    out.sample(name + "_sum", latency.nanoseconds.sum() / 1e9, "endpoint", endpoint)
        .sample(name + "_count", sum, "endpoint", endpoint);
  }
}
