package lovelace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Trust;
import lovelace.optimize.Lbfgs;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A model's request is in its types and not in its notes.
class PlanTest {

  @TempDir private Path folder;

  private static Dataset rows(int n, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = random.doubles(n).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(6 * x[i]) + 0.1 * random.nextGaussian();
    return Dataset.of(x, 1, y);
  }

  private static Fit fit(Engine engine) {
    return Fit.DEFAULT
        .withTraining(false)
        .withGrid(GridChoice.DEFAULT.withPoints(400).bounded(0, 0, 1))
        .withEngine(engine)
        .withKernel("rbf")
        .set("lengthscale", 0.3)
        .set("outputscale", 1)
        .set("noise", 0.01)
        .set("mean", 0);
  }

  /// The model read from its file after some change to the lines of its first section.
  private Model reread(Model model, UnaryOperator<String> lines) throws IOException {
    Path file = folder.resolve("model");
    model.save(file);
    List<Sections.Part> parts =
        new ArrayList<>(Layout.sections(ModelFile.read(file, Trust.DATA), true));
    byte[] about = (byte[]) parts.removeFirst().arrays().getFirst();
    String changed = lines.apply(new String(about, StandardCharsets.UTF_8));
    assertFalse(changed.isEmpty());
    parts.addFirst(Sections.Part.of("about", changed.getBytes(StandardCharsets.UTF_8)));
    Sections.write(file, Sections.FIRST, parts);
    return Model.load(file);
  }

  private static Engine engine(Model model) {
    return model.certificate().orElseThrow().engine();
  }

  private static String replaced(String text, String line, String by) {
    String changed = text.replaceFirst("(?m)^" + line + ".*\\n", by);
    assertFalse(changed.equals(text), () -> "no line " + line + " in\n" + text);
    return changed;
  }

  @Test
  void planOfFewRowsNamesThemOnceAndComparesWithAGrid() {
    Plan plan = fit(Engine.AUTO).withGrid(GridChoice.DEFAULT).to(rows(96, 1)).plan();
    assertEquals("96 rows", plan.on());
    assertEquals("96 rows take fewer operations this way than on a grid", plan.reason());
    String text = plan.toString();
    assertTrue(text.startsWith("exact engine, " + plan.reason() + "; less than 1 s"), text);
  }

  @Test
  void planOfAGridSaysWhichGrid() {
    String text = fit(Engine.SPECTRAL).to(rows(200, 1)).plan().toString();
    assertTrue(text.contains(", on the 400 grid over [0, 1]"), text);
  }

  @ParameterizedTest
  @CsvSource({
    "KRYLOV, KRYLOV, the words of this note are others",
    "SPECTRAL, SPECTRAL, the words of this note are others",
    "AUTO, SPECTRAL, as asked",
  })
  void anUpdateKeepsTheEngineWhateverTheNotesSay(Engine asked, Engine taken, String words)
      throws IOException {
    Model model = fit(asked).to(rows(400, 1));
    Model loaded =
        reread(model, text -> replaced(text, "note\tengine", "note\tengine: " + words + "\n"));
    assertEquals(asked, loaded.plan().asked());
    assertEquals(model.plan().chosen(), loaded.plan().chosen());
    Model more = loaded.with(rows(50, 2));
    assertEquals(taken, engine(more));
    assertAlike(model.plan(), more.plan());
    assertEquals(taken, engine(Model.merge(loaded, model)));
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void thePlanComesBackFromTheFile(Engine asked) throws IOException {
    Options.Learning seeded =
        new Options.Learning(Lbfgs.DEFAULT, 1, 7, Fit.DEFAULT.learning().progress());
    Fit fit = fit(asked).withTolerance(0.004).withLearning(seeded);
    fit =
        switch (asked) {
          case MARKOV, SPARSE, CHAIN, SITES -> fit.withKernel("matern32");
          case AUTO, SPECTRAL, KRYLOV, DENSE, EXACT, NEIGHBOURS -> fit;
        };
    if (asked.holdsRows()) fit = fit.withGrid(GridChoice.DEFAULT);
    Model model = fit.to(rows(60, 3));
    assertEquals(asked, model.plan().asked());
    assertEquals(0.004, model.plan().tolerance());
    assertEquals(7, model.plan().seed());
    assertTrue(asked == Engine.AUTO || asked == Engine.KRYLOV || asked == model.plan().chosen());
    assertTrue(model.plan().seconds() > 0 && model.plan().bytes() > 0, model.plan()::toString);
    assertEquals(model.plan(), reread(model, text -> text).plan());
  }

  /// In files, a chain of rows is called `markov` and sites are called `sparse`, as they always
  /// were.
  @ParameterizedTest
  @CsvSource({"CHAIN, markov", "SITES, sparse", "MARKOV, markov", "SPARSE, sparse"})
  void enginesOnRowsHaveTheirOldNamesInFiles(Engine engine, String name) throws IOException {
    Fit fit = fit(engine).withKernel("matern32");
    if (engine.holdsRows()) fit = fit.withGrid(GridChoice.DEFAULT);
    Model model = fit.to(rows(60, 3));
    assertEquals(engine, model.plan().chosen());
    List<String> lines = new ArrayList<>();
    Model loaded =
        reread(
            model,
            text -> {
              text.lines().forEach(lines::add);
              return text;
            });
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("plan\t" + name)), lines::toString);
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith("planned\t" + name)), lines::toString);
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith("engine\t" + name)), lines::toString);
    assertEquals(model.plan(), loaded.plan());
    loaded.held().ifPresent(rows -> assertEquals(engine, rows.engine()));
  }

  private static void assertAlike(Plan expected, Plan actual) {
    assertEquals(expected.asked(), actual.asked());
    assertEquals(expected.chosen(), actual.chosen());
    assertEquals(expected.tolerance(), actual.tolerance());
    assertEquals(expected.seed(), actual.seed());
  }

  @ParameterizedTest
  @CsvSource({"KRYLOV", "SPECTRAL", "AUTO", "EXACT"})
  void aFileWithoutTheChoiceSaysItByItsPosterior(Engine asked) throws IOException {
    Fit fit = asked == Engine.EXACT ? fit(asked).withGrid(GridChoice.DEFAULT) : fit(asked);
    Model model = fit.to(rows(800, 1));
    Model old = reread(model, text -> replaced(text, "planned\t", ""));
    assertAlike(model.plan(), old.plan());
    assertTrue(Double.isNaN(old.plan().seconds()));
  }

  @Test
  void aListenerIsToldOfThePlanBeforeTheModelIsMade() {
    List<Plan> told = new ArrayList<>();
    Model model = fit(Engine.AUTO).withListener(told::add).to(rows(2000, 1));
    assertEquals(List.of(model.plan()), told);
    assertEquals(Engine.SPECTRAL, model.plan().chosen());
    String text = model.plan().toString();
    assertTrue(text.startsWith("spectral engine, ") && text.contains("400 grid"), text);
  }

  @ParameterizedTest
  @CsvSource({"KRYLOV", "SPECTRAL", "AUTO"})
  void aFileWithoutAPlanSaysItByItsNote(Engine asked) throws IOException {
    Model model = fit(asked).withTolerance(0.004).to(rows(400, 1));
    Model old = reread(model, text -> replaced(text, "plan\t", ""));
    assertEquals(model.plan(), old.plan());
    assertEquals(engine(model), engine(old.with(rows(50, 2))));
  }

  @Test
  void parametersByAnEngineOfChoiceChangeThePlan() {
    Model model = fit(Engine.SPECTRAL).to(rows(400, 1));
    Model other = model.with(model.hyperparameters(), Engine.KRYLOV, Options.Maker.LIBRARY);
    assertEquals(Engine.KRYLOV, other.plan().asked());
    assertEquals(Engine.KRYLOV, engine(other.with(rows(50, 2))));
    assertEquals(Engine.AUTO, other.with(model.hyperparameters()).plan().asked());
  }

  @Test
  void theDenseEngineCanBeAskedForAndSaysWhenItIsTooLarge() {
    Model dense = fit(Engine.DENSE).to(rows(400, 1));
    Model exact = fit(Engine.EXACT).withGrid(GridChoice.DEFAULT).to(rows(400, 1));
    assertEquals(exact.logMarginalLikelihood(), dense.logMarginalLikelihood(), 1e-3);
    assertEquals(Engine.DENSE, dense.with(rows(50, 2)).plan().asked());
    Fit large = fit(Engine.DENSE).withGrid(GridChoice.DEFAULT.withPoints(5000));
    var e = assertThrows(IllegalArgumentException.class, () -> large.to(rows(60, 1)));
    assertTrue(String.valueOf(e.getMessage()).contains("at most 2,500"), e.getMessage());
  }

  @Test
  void aPlanThatNoEngineCanFollowIsRefused() {
    Model model = fit(Engine.KRYLOV).to(rows(60, 1));
    for (String plan : List.of("turbo\t0.01\t1", "auto\t7\t1", "auto\t0.01", "exact\t0.01\t1")) {
      var e =
          assertThrows(
              ModelFormatException.class,
              () -> reread(model, text -> replaced(text, "plan\t", "plan\t" + plan + "\n")));
      assertTrue(String.valueOf(e.getMessage()).contains("is damaged"), e.getMessage());
    }
  }
}
