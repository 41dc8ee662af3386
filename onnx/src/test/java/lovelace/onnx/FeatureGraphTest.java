package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.onnx.Graph.Value;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;

class FeatureGraphTest {

  private static byte[] bytes(Graph graph) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new Message()
        .number(1, 8)
        .message(7, graph.message("test"))
        .message(8, new Message().text(1, "").number(2, Graph.OPSET))
        .message(8, new Message().text(1, Graph.ML).number(2, Graph.ML_OPSET))
        .write(out);
    return out.toByteArray();
  }

  @Test
  void columnsChangeOneByOneAsInTheModel() throws Exception {
    int seed = 3;
    SplittableRandom random = new SplittableRandom(seed);
    int n = 3000;
    double[] x = new double[4 * n];
    for (int i = 0; i < n; i++) {
      x[4 * i] = random.nextDouble(-5, 5);
      x[4 * i + 1] = Math.exp(random.nextDouble(-3, 3)) - 0.1;
      x[4 * i + 2] = Math.pow(random.nextDouble(-2, 2), 5);
      x[4 * i + 3] = random.nextInt(3);
    }
    List<Column> columns =
        List.of(
            Column.of("a"), Column.of("b"), Column.of("c"), Column.of("d", List.of("x", "y", "z")));
    FeatureMap map =
        FeatureMap.columns(
            Dataset.of(x, columns, new double[n], Column.of("t")),
            List.of(Change.SAME, Change.LOG, Change.RANKS, Change.INDICATORS));
    for (int i = 0; i < n; i++) // below, beyond and at knots too, and words never seen
    for (int j = 1; j < 4; j++)
        if (random.nextInt(3) == 0) x[4 * i + j] = j == 3 ? -1 : x[4 * i + j] * 2 - 1;
    double[] want = new double[n * map.outputs()];
    map.apply(x, n, want);
    Graph graph = new Graph(Type.DOUBLE);
    Value all = graph.input("x", Type.DOUBLE, "", "rows", "4");
    List<Value> own =
        FeatureGraph.of(
            graph, map, List.of(0, 1, 2, 3).stream().map(j -> graph.column(all, j)).toList());
    for (int f = 0; f < own.size(); f++) graph.output("z" + f, own.get(f), "");
    Map<String, double[]> plain = GraphRun.of(graph, x, 4);
    double[][] rows = new double[n][4];
    for (int i = 0; i < n; i++) System.arraycopy(x, 4 * i, rows[i], 0, 4);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(bytes(graph));
        OnnxTensor input = OnnxTensor.createTensor(environment, rows);
        OrtSession.Result result = session.run(Map.of("x", input))) {
      for (int f = 0; f < own.size(); f++) {
        double[] got = (double[]) result.get("z" + f).orElseThrow().getValue();
        for (int i = 0; i < n; i++) {
          String where = "feature " + f + ", row " + i + ", seed " + seed;
          double expected = want[i * map.outputs() + f];
          assertEquals(expected, got[i], 1e-13 * (1 + Math.abs(expected)), where);
          assertEquals(got[i], plain.getOrDefault("z" + f, new double[n])[i], 1e-13, where);
        }
      }
    }
  }

  @Test
  void wordsAreTheNumbersOfTheirPlaces() throws Exception {
    Graph graph = new Graph(Type.DOUBLE);
    Value words = graph.input("word", Type.STRING, "", "rows");
    graph.output("code", graph.real(graph.words(words, List.of("red", "gr\u00fcn"))), "");
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    String[] given = {"gr\u00fcn", "red", "blue", ""};
    try (OrtSession session = environment.createSession(bytes(graph));
        OnnxTensor input = OnnxTensor.createTensor(environment, given);
        OrtSession.Result result = session.run(Map.of("word", input))) {
      double[] got = (double[]) result.get("code").orElseThrow().getValue();
      assertEquals("[1.0, 0.0, -1.0, -1.0]", Arrays.toString(got));
    }
  }

  @Test
  void aRowWithoutANumberIsOutsideAndSpoilsNoOther() throws Exception {
    Model model =
        GridExportTest.fit("2*matern52(lengthscale=[3,2])", 12, 12)
            .withEngine(Engine.KRYLOV)
            .to(GridExportTest.data(2, 100, 1));
    double far = Double.POSITIVE_INFINITY;
    double[] x = {Double.NaN, 5, 5, Double.NaN, 5, 5, far, 5, 5, -far, 1e300, 5};
    Exported all = Exported.of(model, OnnxExport.DEFAULT, x);
    for (int i : new int[] {0, 1}) {
      assertTrue(all.outside[i], "row " + i);
      assertTrue(Double.isNaN(all.get("mean")[i]), "row " + i);
    }
    assertEquals(model.predict(5, 5).mean(0), all.get("mean")[2], 1e-12);
    for (int i : new int[] {3, 4, 5}) { // the prior
      assertTrue(all.outside[i], "row " + i);
      assertEquals(2.5, all.get("mean")[i], 1e-12, "row " + i);
      assertEquals(2, all.get("variance")[i], 1e-12, "row " + i);
    }
  }
}
