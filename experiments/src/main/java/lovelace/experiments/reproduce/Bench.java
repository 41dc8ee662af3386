package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import lovelace.experiments.BenchmarkCase;
import lovelace.io.AtomicFile;
import org.jspecify.annotations.Nullable;

/// The conditions of experiments (size and data), and the results so far, in one file per cell.
final class Bench {

  static final long SEED = 2018;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Size size;
  private final @Nullable Path data;
  private final Path folder;
  private final ObjectNode conditions;
  private final Map<String, ObjectNode> results = new LinkedHashMap<>();

  Bench(Size size, @Nullable Path data, Path out) throws IOException {
    this.size = size;
    this.data = data;
    folder = Files.createDirectories(out.resolve("cells"));
    conditions = JsonNodeFactory.instance.objectNode();
    conditions.put("size", size.toString());
    conditions.put("data", data == null ? "synthetic" : data.toAbsolutePath().toString());
    conditions.put("seed", SEED);
    conditions.set("machine", Machine.describe());
  }

  Size size() {
    return size;
  }

  /// The folder of the paper's sets; null for synthetic ones.
  @Nullable Path data() {
    return data;
  }

  /// Whether the cell has a result under the same conditions. Reads it back.
  boolean recall(Cell cell) throws IOException {
    if (results.containsKey(cell.key())) return true;
    Path file = file(cell);
    if (!Files.exists(file)) return false;
    JsonNode kept = MAPPER.readTree(file.toFile());
    if (!(kept.path("conditions") instanceof ObjectNode before)
        || !(kept.path("result") instanceof ObjectNode result)) return false;
    ObjectNode now = (ObjectNode) MAPPER.readTree(conditions.toString());
    if (!cell.timed()) {
      before.remove("machine");
      now.remove("machine");
    }
    if (!before.equals(now)) return false;
    results.put(cell.key(), result);
    return true;
  }

  /// Runs the cell and stores its result.
  void run(Cell cell, Cell.Remark remark) throws Exception {
    long start = System.nanoTime();
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    cell.work().run(result, remark);
    result.put("cell_seconds", (System.nanoTime() - start) * 1e-9);
    result.put("build", Machine.build());
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    kept.set("conditions", conditions);
    kept.set("result", result);
    AtomicFile.write(file(cell), MAPPER.writeValueAsBytes(kept));
    results.put(cell.key(), (ObjectNode) MAPPER.readTree(file(cell).toFile()).path("result"));
  }

  /// Stores a problem with exact answers, so that other programs can do the same work.
  void keep(BenchmarkCase problem) throws IOException {
    Path own = Files.createDirectories(folder.resolveSibling("cases").resolve(problem.name()));
    for (Map.Entry<String, byte[]> file : problem.files().entrySet())
      AtomicFile.write(own.resolve(file.getKey()), file.getValue());
  }

  /// The builds that made the results, with the number of cells of each.
  Map<String, Long> builds() {
    return results.values().stream()
        .map(result -> result.path("build").asText("unknown"))
        .collect(Collectors.groupingBy(build -> build, TreeMap::new, Collectors.counting()));
  }

  private Path file(Cell cell) {
    return folder.resolve(cell.key() + ".json");
  }

  /// The result of a cell.
  ObjectNode result(String key) {
    ObjectNode found = results.get(key);
    if (found == null) throw new IllegalStateException("cell '" + key + "' has not been done");
    return found;
  }

  boolean has(String key) {
    return results.containsKey(key);
  }

  /// All results, without the data that passes between cells.
  ObjectNode findings() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    results.forEach((key, result) -> all.set(key, result.deepCopy().without(Cell.DATA)));
    return all;
  }

  /// A number in the result of a cell; NaN if it is missing.
  double number(String key, String name) {
    return number(result(key), name);
  }

  /// A number in a node; NaN if it is missing.
  static double number(JsonNode node, String name) {
    return number(node.path(name));
  }

  private static double number(JsonNode value) {
    return value.isNumber() ? value.asDouble() : Double.NaN;
  }

  /// An array in a node.
  static double[] numbers(JsonNode node) {
    double[] values = new double[node.size()];
    for (int i = 0; i < values.length; i++) values[i] = number(node.get(i));
    return values;
  }

  static void put(ObjectNode node, String name, double... values) {
    var array = node.putArray(name);
    for (double v : values) array.add(v);
  }
}
