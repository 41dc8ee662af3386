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
    Path link = folder.resolve("node_modules");
    Path packages = NpmPackages.INSTALLED.require("onnxruntime");
    Files.createSymbolicLink(link, packages.resolve("node_modules"));
    try {
      requireAnswers(run(List.of(Programs.require("node").toString(), "example.mjs")));
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

  @Test
  void theOtherProgramsAskForTheSameRows() throws IOException {
    for (String language : List.of("python", "csharp")) {
      String numbers = block(language).replaceAll("[^0-9.]+", " ");
      assertTrue(numbers.contains(" 2.5 4 7 1 "), language + Arrays.toString(ROWS));
    }
  }
}
