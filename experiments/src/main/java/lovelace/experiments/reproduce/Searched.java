package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import lovelace.data.Dataset;
import lovelace.experiments.Search;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;

/// The observations of a search after its queries, and their model.
final class Searched {

  private final Dataset data;
  private final Hyperparameters hyperparameters;

  private Searched(Dataset data, Hyperparameters hyperparameters) {
    this.data = data;
    this.hyperparameters = hyperparameters;
  }

  private static String key(Search search) {
    return "search-" + search.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Cell cell(Bench bench, Search search) {
    int queries = bench.size().queries();
    return new Cell(
        key(search),
        String.format(Locale.ROOT, "%d queries of %s", queries, title(search)),
        (search == Search.EGGHOLDER ? 0.1 : 0.4) * queries,
        false,
        (result, remark) -> {
          Dataset data = search.queries(queries, Bench.SEED);
          Hyperparameters h = search.learn(data);
          result.put("queries", queries);
          result.put("kernel", h.kernel().toString());
          result.put("noise", h.noise());
          result.put("mean", h.mean().coefficients()[0]);
          ObjectNode kept = result.putObject(Cell.DATA);
          Bench.put(kept, "inputs", data.inputs());
          Bench.put(kept, "target", data.target());
        });
  }

  static String title(Search search) {
    return search == Search.EGGHOLDER ? "Eggholder" : "Styblinski–Tang";
  }

  static Searched of(Bench bench, Search search) {
    JsonNode result = bench.result(key(search));
    JsonNode kept = result.path(Cell.DATA);
    int d = search.dimensions();
    return new Searched(
        Dataset.of(Bench.numbers(kept.path("inputs")), d, Bench.numbers(kept.path("target"))),
        Hyperparameters.of(
            Kernel.parse(result.path("kernel").asText()).attach(d),
            result.path("noise").asDouble(),
            PriorMean.constant(result.path("mean").asDouble())));
  }

  Dataset data() {
    return data;
  }

  Hyperparameters hyperparameters() {
    return hyperparameters;
  }
}
