package lovelace.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import lovelace.testing.Needs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/// Every code block of ours on every page runs.
///
/// - `sh`: from top to bottom in an empty folder for each page. `sh long` runs only in `./check
///   --long`; otherwise its commands are parsed. `sh gdal` and `sh Rscript` run in tests of their
///   own, which need that program. `sh by-hand` is parsed, and needs what no test has.
/// - `java`: in one JShell for each page; `java long` is compiled and runs only in `./check
///   --long`.
/// - `json`, `xml`: parsed. `json NAME` shows a file, which is written. `text` is what is printed,
///   `LANGUAGE peer` the code of others.
/// - All else is run by a test that [#ELSEWHERE] names. A block that nobody runs fails.
///
/// `src/test/pages/NAME.jsh` and `NAME.sh` make the files and definitions that a page takes for
/// granted; `NAME.after.sh` looks at the results. No file of these may be one that the page shows
/// or makes itself ([Fixture]).
class BlocksTest {

  /// Blocks that other tests run, or that cannot run in one: page, what stands after the fence, and
  /// the test or why.
  private record Elsewhere(String page, String fence, String by) {}

  private static final List<Elsewhere> ELSEWHERE =
      List.of(
          new Elsewhere("CONTRIBUTING.md", "sh", "they are what runs this test"),
          new Elsewhere("docs/areas.md", "sh", "cli/src/test/java/lovelace/cli/AreasPageTest.java"),
          new Elsewhere(
              "docs/diagnostics.md", "sh", "cli/src/test/java/lovelace/cli/AreasPageTest.java"),
          new Elsewhere(
              "docs/export.md", "sh", "cli/src/test/java/lovelace/cli/AreasPageTest.java"),
          new Elsewhere(
              "docs/export.md", "java", "onnx/src/test/java/lovelace/onnx/ExportPageTest.java"),
          new Elsewhere(
              "docs/export.md", "js", "onnx/src/test/java/lovelace/onnx/ExportPageTest.java"),
          new Elsewhere(
              "docs/export.md", "html", "onnx/src/test/java/lovelace/onnx/ExportPageTest.java"),
          new Elsewhere(
              "docs/export.md", "python", "onnx/src/test/java/lovelace/onnx/ExportPageTest.java"),
          new Elsewhere("docs/export.md", "csharp by-hand", ".NET, which Debian does not have"),
          new Elsewhere(
              "docs/likelihoods.md",
              "sh",
              "cli/src/test/java/lovelace/cli/LikelihoodsPageTest.java"),
          new Elsewhere(
              "docs/tables.md", "sh", "cli/src/test/java/lovelace/cli/TablesPageTest.java"),
          new Elsewhere("docs/java.md", "java", "core/src/test/java/lovelace/JavaGuideTest.java"),
          new Elsewhere(
              "docs/own-kernel.md",
              "java",
              "core/src/test/java/lovelace/OwnKernelExampleTest.java"),
          new Elsewhere(
              "docs/samples.md",
              "java",
              "core/src/test/java/lovelace/posterior/SamplesExampleTest.java"),
          new Elsewhere(
              "docs/exact.md", "java", "core/src/test/java/lovelace/exact/ExactExampleTest.java"),
          new Elsewhere(
              "docs/server.md", "python", "server/src/test/java/lovelace/server/GuideTest.java"),
          new Elsewhere(
              "docs/optimize.md",
              "java",
              "core/src/test/java/lovelace/bayesopt/OptimizeExampleTest.java"),
          new Elsewhere(
              "docs/drift.md", "java", "core/src/test/java/lovelace/drift/DriftTest.java"),
          new Elsewhere(
              "docs/pictures.md", "java", "plot/src/test/java/lovelace/plot/PicturesTest.java"),
          new Elsewhere(
              "docs/own-kernel.md",
              "sh",
              "cli/src/test/java/lovelace/cli/OwnKernelCommandTest.java"),
          new Elsewhere("docs/cli.md", "sh by-hand", "a database, and an hour"),
          new Elsewhere("docs/benchmarks.md", "sh by-hand", "Maven and GPyTorch; minutes"),
          new Elsewhere(
              "docs/deep.md", "sh by-hand", "Maven, tables that are not ours, GPyTorch; hours"),
          new Elsewhere(
              "docs/coming-from-gpytorch.md",
              "sh",
              "cli/src/test/java/lovelace/cli/ComingFromTest.java"),
          new Elsewhere(
              "docs/coming-from-scikit-learn.md",
              "sh",
              "cli/src/test/java/lovelace/cli/ComingFromTest.java"),
          new Elsewhere(
              "docs/coming-from-gstat.md",
              "sh",
              "cli/src/test/java/lovelace/cli/ComingFromTest.java"),
          new Elsewhere(
              "docs/coming-from-smile.md",
              "sh",
              "cli/src/test/java/lovelace/cli/ComingFromTest.java"),
          new Elsewhere(
              "docs/tutorial.md", "sh", "cli/src/test/java/lovelace/cli/TutorialTest.java"),
          new Elsewhere(
              "docs/tutorial.md", "sh long", "cli/src/test/java/lovelace/cli/TutorialTest.java"),
          new Elsewhere(
              "docs/install.md", "sh by-hand", "Docker; testing/docker does it where there is one"),
          new Elsewhere("docs/results.md", "sh by-hand", "tables that are not ours; half an hour"),
          new Elsewhere(
              "docs/spark.md", "sh", "spark/src/test/java/lovelace/spark/SparkPageTest.java"),
          new Elsewhere(
              "docs/spark.md", "java", "spark/src/test/java/lovelace/spark/SparkPageTest.java"),
          new Elsewhere("README.md", "java", "core/src/test/java/lovelace/ReadmeExampleTest.java"));

  /// Programs that may stand after the language. Each has a test of its own.
  private static final List<String> PROGRAMS = List.of("gdal", "Rscript");

  private static final boolean LONG = Boolean.getBoolean("lovelace.long");
  private static final Path HERE = Path.of("").toAbsolutePath();
  private static final Path OWN = Repository.ROOT.resolve("website/src/test/pages");

  @TempDir private static Path calls;

  @TestFactory
  Stream<DynamicTest> everyBlockRuns() throws IOException, InterruptedException {
    assertTrue(HERE.endsWith("target/page"), () -> "would clear " + HERE);
    Shell shell = new Shell(calls);
    String only = System.getProperty("page", "");
    return Site.of(Repository.ROOT).pages().values().stream()
        .filter(page -> page.name().contains(only))
        .filter(page -> !page.blocks().isEmpty())
        .map(page -> DynamicTest.dynamicTest(page.name(), () -> run(page, shell)));
  }

  @Test
  @Needs("gdal")
  void blocksWithGdalRun() throws Exception {
    runBlocksWith("gdal");
  }

  @Test
  @Needs("Rscript")
  void blocksWithRRun() throws Exception {
    runBlocksWith("Rscript");
  }

  private static void runBlocksWith(String program) throws Exception {
    Shell shell = new Shell(Files.createTempDirectory(calls, program));
    int found = 0;
    for (Page page : Site.of(Repository.ROOT).pages().values())
      for (Page.Block block : page.blocks())
        if (block.is(program)) {
          clear(HERE);
          String wrong =
              block.is("long") && !LONG ? shell.parse(block.text()) : shell.run(block.text());
          assertEquals("", wrong, () -> page.name() + ":" + block.line());
          found++;
        }
    assertTrue(found > 0, "no block needs " + program);
  }

  private static void run(Page page, Shell shell) throws Exception {
    clear(HERE);
    boolean reference = page.name().startsWith("docs/reference/");
    String name = page.name().replaceFirst(".*/", "").replaceFirst("\\.md$", "");
    List<String> failures = new ArrayList<>();
    List<String> imports = new ArrayList<>(Api.packages(Repository.ROOT));
    imports.addAll(List.of("java.util", "java.nio.file"));
    JavaRun java = null;
    try (shell) {
      for (String kind : reference ? List.<String>of() : List.of("jsh", "sh")) {
        Path setup = OWN.resolve(name + "." + kind);
        if (!Files.exists(setup)) continue;
        if (kind.equals("jsh")) java = new JavaRun(imports);
        String text = Files.readString(setup);
        assertEquals("", java != null && kind.equals("jsh") ? java.run(text) : shell.run(text));
      }
      Fixture fixture = Fixture.in(HERE);
      for (Page.Block block : page.blocks()) {
        for (String file : fixture.replaced(block)) failures.add(own(page, block, file));
        if (!Fixture.shown(block).isEmpty())
          Files.writeString(HERE.resolve(Fixture.shown(block)), block.text());
        boolean listed = isElsewhere(page, block);
        String wrong = "";
        if (block.language().equals("sh") && (!listed || block.is("by-hand"))) {
          boolean parse =
              reference
                  || listed
                  || (block.is("long") && !LONG)
                  || PROGRAMS.stream().anyMatch(block::is);
          if (block.is("by-hand") && !listed) wrong = "this test does not say why it is by hand";
          else wrong = parse ? shell.parse(block.text()) : shell.run(block.text());
        } else if (listed) continue;
        else if (block.language().equals("java") && !block.is("peer")) {
          if (java == null) java = new JavaRun(imports);
          wrong = block.is("long") && !LONG ? java.compile(block.text()) : java.run(block.text());
        } else wrong = read(block);
        if (!wrong.isEmpty()) failures.add("%s:%s: %s".formatted(page.name(), block.line(), wrong));
      }
      for (String file : fixture.rewritten()) failures.add(own(page, null, file));
      Path after = OWN.resolve(name + ".after.sh");
      if (failures.isEmpty() && !reference && Files.exists(after))
        assertEquals("", shell.run(Files.readString(after)), after.toString());
    } finally {
      if (java != null) java.close();
    }
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
  }

  private static String own(Page page, Page.@Nullable Block block, String file) {
    return "%s%s: the page shows or makes %s; take it out of %s"
        .formatted(
            page.name(), block == null ? "" : ":" + block.line(), file, "website/src/test/pages");
  }

  private static boolean isElsewhere(Page page, Page.Block block) {
    return ELSEWHERE.stream()
        .anyMatch(each -> each.page().equals(page.name()) && each.fence().equals(block.info()));
  }

  /// The fault of a block that is only read; empty if it has none.
  private static String read(Page.Block block) throws IOException, ParserConfigurationException {
    if (block.info().isBlank())
      return "no fence that names a language; text is for what is printed";
    if (block.is("peer")) return "";
    try {
      switch (block.language()) {
        case "json" -> new ObjectMapper().readTree(block.text());
        case "xml" -> {
          DocumentBuilder xml = DocumentBuilderFactory.newInstance().newDocumentBuilder();
          xml.setErrorHandler(new DefaultHandler()); // throws, and prints nothing
          xml.parse(new InputSource(new StringReader("<all>" + block.text() + "</all>")));
        }
        case "text" -> {}
        default -> {
          return "nobody runs this block of " + block.language();
        }
      }
      return "";
    } catch (JsonProcessingException | SAXException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void filesThatPagesShowAreNamedInTheirFences() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Page page : Site.of(Repository.ROOT).pages().values()) {
      String markdown = Files.readString(Repository.ROOT.resolve(page.name()));
      for (Page.Block block : page.blocks()) {
        String said = Fixture.unnamed(block, markdown);
        if (!said.isEmpty()) wrong.add("%s:%s: %s".formatted(page.name(), block.line(), said));
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void aFixtureMayNotHaveAFileThatThePageShowsOrMakes() throws Exception {
    clear(HERE);
    for (String name : List.of("s.json", "a.csv", "m.lvl", "kept.csv"))
      Files.writeString(HERE.resolve(name), "old");
    Fixture fixture = Fixture.in(HERE);
    Map<String, Set<String>> replaced = new LinkedHashMap<>();
    replaced.put("```json s.json\n{}\n```", Set.of("s.json"));
    replaced.put("```json\n{}\n```", Set.of());
    replaced.put("```json t.json\n{}\n```", Set.of());
    replaced.put("```sh long\nawk 1 kept.csv > a.csv\n```", Set.of("a.csv"));
    replaced.put("```sh\ncat > 'a.csv' <<E\nE\n```", Set.of("a.csv"));
    replaced.put("```sh\nlovelace fit a.csv --target y --model m.lvl\n```", Set.of("m.lvl"));
    replaced.put("```sh\nlovelace predict m.lvl kept.csv --out=a.csv\n```", Set.of("a.csv"));
    replaced.put("```sh\nlovelace predict m.lvl a.csv --out b.csv\n```", Set.of());
    for (var each : replaced.entrySet())
      assertEquals(
          each.getValue(),
          fixture.replaced(Page.of("x.md", "# X\n\n" + each.getKey() + "\n").blocks().getFirst()),
          each.getKey());
    assertEquals(Set.of(), fixture.rewritten());
    Files.delete(HERE.resolve("m.lvl"));
    Files.writeString(HERE.resolve("new.csv"), "new");
    Files.writeString(HERE.resolve("kept.csv"), " and more", StandardOpenOption.APPEND);
    Path next = Files.writeString(HERE.resolve("next"), "old"); // the same text, another file
    Files.move(next, HERE.resolve("a.csv"), StandardCopyOption.REPLACE_EXISTING);
    assertEquals(Set.of("a.csv"), fixture.rewritten());
  }

  @Test
  void aSentenceThatNamesAFileWantsItsNameInTheFence() {
    for (String name : List.of("", " s.json")) {
      String markdown = "# X\n\n`s.json` has an entry for each:\n\n```json" + name + "\n{}\n```\n";
      String said = Fixture.unnamed(Page.of("x.md", markdown).blocks().getFirst(), markdown);
      assertEquals(name.isEmpty(), said.contains("```json s.json"), said);
    }
  }

  @Test
  void whatRunsElsewhereIsThere() throws IOException {
    Set<String> idle = new TreeSet<>();
    var pages = Site.of(Repository.ROOT).pages();
    for (Elsewhere each : ELSEWHERE) {
      Page page = pages.get(each.page());
      if (page == null
          || page.blocks().stream().noneMatch(block -> block.info().equals(each.fence())))
        idle.add(each.page() + " has no block " + each.fence());
      if (each.by().endsWith(".java") && !Files.exists(Repository.ROOT.resolve(each.by())))
        idle.add("there is no " + each.by());
    }
    assertEquals(Set.of(), idle);
  }

  @Test
  void aBlockThatFailsIsNamedWithItsLine() throws Exception {
    for (String block :
        List.of(
            "```sh\nlovelace fit none.csv --target y --model m.lvl\n```",
            "```sh\nfalse\ntrue\n```",
            "```sh long\nlovelace fit a.csv --no-such-option\n```",
            "```java\nint x = \"\";\n```",
            "```java\nthrow new IllegalStateException(\"on purpose\");\n```",
            "```json\n{\n```",
            "```xml\n<a>\n```",
            "```pascal\nbegin end.\n```",
            "```\nlovelace\n```",
            "    lovelace fit a.csv")) {
      Page page = Page.of("x.md", "# X\n\n" + block + "\n");
      Path folder = Files.createTempDirectory(calls, "one");
      Shell shell = new Shell(folder);
      String said = assertThrows(AssertionError.class, () -> run(page, shell), block).toString();
      assertTrue(said.contains("x.md:3: "), said);
    }
  }

  private static void clear(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.filter(each -> !each.equals(folder)).sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) Files.delete(each);
  }
}
