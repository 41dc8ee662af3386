package lovelace.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import lovelace.Model;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.testing.Needs;
import lovelace.testing.NpmPackages;
import lovelace.testing.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of docs/export.md, as they stand there, on a model of two columns. Each prints the
/// means of its two rows, then their standard deviations.
class ExportPageTest {

  private static final long PATIENCE = 120; // seconds
  private static final double[] ROWS = {2.5, 4, 7, 1}; // those of the page

  @TempDir private Path folder;
  private final Model model =
      GridExportTest.fit("2*rbf(lengthscale=[3,2])", 20, 20)
          .withEngine(Engine.SPECTRAL)
          .to(GridExportTest.data(2, 300, 3));

  @BeforeEach
  void write() throws IOException {
    OnnxExport.DEFAULT.write(model, folder.resolve("model.onnx"));
  }

  /// The one block of the page in a language.
  private static String block(String language) throws IOException {
    String page = Files.readString(Path.of("../docs/export.md"));
    String[] parts = page.split("```" + language + "\n", -1);
    assertEquals(2, parts.length, language);
    return parts[1].substring(0, parts[1].indexOf("```"));
  }

  /// Fails unless a program said what the model predicts. Programs print all digits that matter.
  private void requireAnswers(String said) {
    double[] got =
        Pattern.compile("-?\\d+\\.\\d+(?:[eE]-?\\d+)?")
            .matcher(said)
            .results()
            .mapToDouble(number -> Double.parseDouble(number.group()))
            .toArray();
    Prediction want = model.predict(ROWS);
    double[] all = {want.mean(0), want.mean(1), want.deviation(0), want.deviation(1)};
    assertEquals(all.length, got.length, said);
    for (int i = 0; i < all.length; i++) assertEquals(all[i], got[i], 1e-12, said);
  }

  private String run(List<String> command) throws Exception {
    Path out = folder.resolve("out.txt");
    Path log = folder.resolve("log.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    process.getOutputStream().close();
    try {
      assertTrue(process.waitFor(PATIENCE, TimeUnit.SECONDS), "still running: " + command);
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(out);
    assertEquals(0, process.exitValue(), said + Files.readString(log));
    return said;
  }

  @Test
  void theJavaProgramRuns() throws Exception {
    Files.writeString(folder.resolve("Example.java"), block("java"));
    Path runtime =
        Path.of(OrtEnvironment.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    requireAnswers(run(List.of(java.toString(), "-cp", runtime.toString(), "Example.java")));
  }

  @Test
  @Needs(packages = "onnxruntime")
  void theNodeProgramRuns() throws Exception {
    Files.writeString(folder.resolve("example.mjs"), block("js"));
    requireAnswers(
        withPackages(() -> run(List.of(Programs.require("node").toString(), "example.mjs"))));
  }

  /// The output of a program that finds the packages of onnxruntime in its folder.
  private String withPackages(Callable<String> program) throws Exception {
    Path link = folder.resolve("node_modules");
    Path packages = NpmPackages.INSTALLED.require("onnxruntime");
    Files.createSymbolicLink(link, packages.resolve("node_modules"));
    try {
      return program.call();
    } finally {
      Files.delete(link);
    }
  }

  @Test
  @Needs(value = "chromium", packages = "onnxruntime")
  void thePageForABrowserShowsTheAnswers() throws Exception {
    CompletableFuture<String> said = new CompletableFuture<>();
    String watch =
        """
        <script>
        const tell = text => fetch("/said", { method: "POST", body: text });
        onerror = tell;
        onunhandledrejection = e => tell(String(e.reason));
        addEventListener("DOMContentLoaded", () =>
          new MutationObserver(() => tell(document.body.textContent)).observe(document.body, { childList: true }));
        </script>
        """;
    Path packages = NpmPackages.INSTALLED.require("onnxruntime");
    try (Site site = new Site()) {
      site.page("/", "<!doctype html>" + watch + block("html"))
          .files("/dist/", packages.resolve("node_modules/onnxruntime-web/dist"))
          .files("/model.onnx", folder.resolve("model.onnx"))
          .on(
              "/said",
              exchange -> {
                said.complete(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                return new byte[0];
              });
      try (Running browser = Running.browser(site.address())) {
        try {
          requireAnswers(said.get(PATIENCE, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
          throw new AssertionError(browser.said(), e);
        }
      }
    }
  }

  /// Debian has no onnxruntime for Python. A module of that name with the same calls asks the one
  /// for Node.
  @Test
  @Needs(value = "onnx", packages = "onnxruntime")
  void thePythonProgramRunsWithAStandInForItsLibrary() throws Exception {
    Files.writeString(folder.resolve("example.py"), block("python"));
    Files.writeString(
        folder.resolve("onnxruntime.py"),
        """
        import json, subprocess, numpy
        numpy.set_printoptions(precision=17)
        class InferenceSession:
            def __init__(self, path):
                self.path = path
            def run(self, output_names, input_feed):
                feeds = {name: [str(x.dtype), x.ravel().tolist(), x.shape] for name, x in input_feed.items()}
                answer = subprocess.run(["%s", "answer.mjs", self.path], input=json.dumps(feeds),
                                        text=True, check=True, stdout=subprocess.PIPE)
                said = json.loads(answer.stdout)
                return [numpy.array(said[name]) for name in output_names]
        """
            .formatted(Programs.require("node")));
    Files.writeString(
        folder.resolve("answer.mjs"),
        """
        import { readFileSync } from "node:fs";
        import ort from "onnxruntime-node";
        const session = await ort.InferenceSession.create(process.argv[2]);
        const feeds = {};
        for (const [name, [type, data, shape]] of Object.entries(JSON.parse(readFileSync(0))))
          feeds[name] = new ort.Tensor(type, data, shape);
        const answer = await session.run(feeds);
        const plain = {};
        for (const [name, tensor] of Object.entries(answer)) plain[name] = Array.from(tensor.data);
        console.log(JSON.stringify(plain));
        """);
    requireAnswers(
        withPackages(() -> run(List.of(Programs.require("onnx").toString(), "example.py"))));
  }

  @Test
  void theProgramForDotNetAsksForTheSameRows() throws IOException {
    String numbers = block("csharp by-hand").replaceAll("[^0-9.]+", " ");
    assertTrue(numbers.contains(" 2.5 4 7 1 "), Arrays.toString(ROWS));
  }
}
