package lovelace.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;

/// A fixed problem, so that every implementation does the same work. It is a folder with
///
/// - `train.csv.gz`: inputs in [−1, 1], then `y`;
/// - `test.csv.gz`: the same columns, then `exact_mean` and `exact_variance` of a dense GP;
/// - `case.json`: `kernel` (its text; `lengthscale` and `outputscale` may be given beside it),
///   `noise`, `mean` (a constant) and the exact `log_marginal_likelihood`.
public final class BenchmarkCase {

  private final String name;
  private final Dataset train;
  private final Dataset test;
  private final double[] exactMean;
  private final double[] exactVariance;
  private final Hyperparameters hyperparameters;
  private final double exactLikelihood;

  private BenchmarkCase(
      String name,
      Dataset train,
      Dataset test,
      double[] exactMean,
      double[] exactVariance,
      Hyperparameters hyperparameters,
      double exactLikelihood) {
    this.name = name;
    this.train = train;
    this.test = test;
    this.exactMean = exactMean;
    this.exactVariance = exactVariance;
    this.hyperparameters = hyperparameters;
    this.exactLikelihood = exactLikelihood;
  }

  /// The folders inside `folder`, ordered by name.
  public static List<Path> folders(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) throw new NoSuchFileException(folder.toString());
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }

  /// Whether the folder describes a case.
  public static boolean describes(Path folder) {
    return Files.exists(folder.resolve("case.json"));
  }

  public static BenchmarkCase read(Path folder) throws IOException {
    Path description = folder.resolve("case.json");
    JsonNode json = json(description);
    NumberTable train = NumberTable.read(folder.resolve("train.csv.gz"));
    NumberTable test = NumberTable.read(folder.resolve("test.csv.gz"));
    List<String> inputs = train.names().subList(0, train.place("y"));
    if (inputs.isEmpty())
      throw new IllegalArgumentException(train.file() + " must have input columns before 'y'");
    return new BenchmarkCase(
        String.valueOf(folder.getFileName()),
        dataset(train, inputs),
        dataset(test, inputs),
        test.column("exact_mean"),
        test.column("exact_variance"),
        hyperparameters(description, json, inputs.size()),
        number(description, json, "log_marginal_likelihood"));
  }

  private static Dataset dataset(NumberTable table, List<String> inputs) {
    int d = inputs.size();
    double[] y = table.column("y");
    double[] x = new double[y.length * d];
    for (int a = 0; a < d; a++) {
      double[] from = table.column(inputs.get(a));
      for (int i = 0; i < y.length; i++) x[i * d + a] = from[i];
    }
    return Dataset.of(x, d, y);
  }

  /// A case under an RBF kernel, with the results of the exact process.
  public static BenchmarkCase of(
      String name,
      Dataset train,
      Dataset test,
      Hyperparameters hyperparameters,
      Prediction exact,
      double exactLikelihood) {
    return new BenchmarkCase(
        name, train, test, exact.means(), exact.variances(), hyperparameters, exactLikelihood);
  }

  /// The files of the case by name, in the form that [#read] takes. The description is last.
  public Map<String, byte[]> files() throws IOException {
    int d = train.dimensions();
    String inputs =
        IntStream.range(0, d).mapToObj(a -> "z" + a + ",").collect(Collectors.joining());
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("name", name);
    json.put("n", train.size());
    json.put("t", test.size());
    json.put("kernel", "rbf");
    for (Parameter p : hyperparameters.parameters())
      if (p.path().endsWith("lengthscale")) {
        var values = json.putArray("lengthscale");
        for (double v : p.values()) values.add(v);
      } else if (p.path().endsWith("outputscale")) json.put("outputscale", p.values()[0]);
    json.put("noise", hyperparameters.noise());
    json.put("mean", hyperparameters.mean().coefficients()[0]);
    json.put("log_marginal_likelihood", exactLikelihood);
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("train.csv.gz", csv(inputs + "y", train));
    files.put(
        "test.csv.gz", csv(inputs + "y,exact_mean,exact_variance", test, exactMean, exactVariance));
    files.put(
        "case.json", new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(json));
    return files;
  }

  private static byte[] csv(String header, Dataset data, double[]... more) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var writer = new OutputStreamWriter(new GZIPOutputStream(bytes), StandardCharsets.UTF_8)) {
      writer.write(header + "\n");
      int d = data.dimensions();
      for (int i = 0; i < data.size(); i++) {
        StringBuilder line = new StringBuilder();
        for (int a = 0; a < d; a++) line.append(data.inputs()[i * d + a]).append(',');
        line.append(data.target()[i]);
        for (double[] column : more) line.append(',').append(column[i]);
        writer.write(line.append('\n').toString());
      }
    }
    return bytes.toByteArray();
  }

  private static JsonNode json(Path file) throws IOException {
    try {
      return new ObjectMapper().readTree(file.toFile());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(file + " is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static Hyperparameters hyperparameters(Path file, JsonNode json, int dimensions) {
    if (!json.path("kernel").isTextual())
      throw new IllegalArgumentException(file + " must have a text 'kernel', such as \"rbf\"");
    Kernel kernel = Kernel.parse(json.path("kernel").asText()).bind(dimensions);
    Hyperparameters h =
        Hyperparameters.of(
            kernel, number(file, json, "noise"), PriorMean.constant(number(file, json, "mean")));
    if (json.has("outputscale")) h = h.set("outputscale", number(file, json, "outputscale"));
    JsonNode lengthscale = json.path("lengthscale");
    if (lengthscale.isNumber()) h = h.set("lengthscale", lengthscale.asDouble());
    else if (lengthscale.isArray()) {
      double[] values = new double[lengthscale.size()];
      for (int i = 0; i < values.length; i++) values[i] = lengthscale.get(i).asDouble(Double.NaN);
      h = h.set("lengthscale", values);
    }
    if (!h.unset().isEmpty())
      throw new IllegalArgumentException(
          "%s gives no value to %s".formatted(file, String.join(", ", h.unset())));
    return h;
  }

  private static double number(Path file, JsonNode json, String key) {
    if (!json.path(key).isNumber())
      throw new IllegalArgumentException(file + " must have a number '" + key + "'");
    return json.path(key).asDouble();
  }

  public String name() {
    return name;
  }

  public Dataset train() {
    return train;
  }

  public Dataset test() {
    return test;
  }

  /// The exact GP's mean at the test points; not copied.
  public double[] exactMean() {
    return exactMean;
  }

  /// The exact GP's variance of f at the test points; not copied.
  public double[] exactVariance() {
    return exactVariance;
  }

  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  public double exactLikelihood() {
    return exactLikelihood;
  }
}
