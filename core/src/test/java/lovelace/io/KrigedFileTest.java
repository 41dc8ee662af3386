package lovelace.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.data.Trust;
import lovelace.grid.Grid;
import lovelace.inference.KrigedExactly;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.model.Provenance;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A posterior that is kriged between grid points comes back from a file.
class KrigedFileTest {

  @TempDir Path folder;

  private static final Provenance PROVENANCE =
      Fit.DEFAULT
          .withTraining(false)
          .withKernel("rbf")
          .set("lengthscale", 1)
          .set("outputscale", 1)
          .set("noise", 0.1)
          .set("mean", 0)
          .to(Dataset.of(new double[] {1, 2, 3}, 1, new double[] {1, 2, 1}))
          .provenance();

  private static KrigedExactly problem(int d, int points) {
    int[] counts = new int[d];
    Arrays.fill(counts, points);
    double[] slopes = new double[d];
    Arrays.fill(slopes, 0.1);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("matern12(lengthscale=4) + 0.2*matern32(lengthscale=40)").attach(d),
            0.05,
            PriorMean.linear(2, slopes));
    return new KrigedExactly(KrigedExactly.grid(counts), h, 0.5, 3, true);
  }

  private static ModelState state(LatticePosterior posterior) {
    List<Column> inputs = new ArrayList<>();
    for (int a = 0; a < posterior.dimensions(); a++) inputs.add(Column.of("x" + a));
    return new ModelState(
        inputs,
        List.of(),
        Column.of("y"),
        TargetTransform.NONE,
        0,
        -1,
        posterior,
        new Plan(Engine.AUTO, Engine.DENSE, "", "", 0.01, 1, Double.NaN, 0),
        PROVENANCE);
  }

  private LatticePosterior read(Path file) throws IOException {
    return assertInstanceOf(LatticePosterior.class, ModelFile.read(file, Trust.DATA).posterior());
  }

  @ParameterizedTest
  @CsvSource({"1, 30", "2, 9", "3, 6"})
  void itPredictsToTheBitAsBefore(int d, int points) throws IOException {
    KrigedExactly exact = problem(d, points);
    LatticePosterior before = exact.posterior();
    Path file = folder.resolve("kriged");
    ModelFile.write(file, state(before), true);
    LatticePosterior after = read(file);
    assertTrue(after.kriges());
    assertEquals(before.floor(), after.floor());
    assertArrayEquals(before.entries(), after.entries());
    Grid grid = exact.grid;
    SplittableRandom random = new SplittableRandom(5);
    double[] x = new double[200 * d];
    for (int i = 0; i < x.length; i++) x[i] = 1 + random.nextDouble() * (points - 3);
    Prediction expected = before.predict(x);
    Prediction found = after.predict(x);
    assertArrayEquals(expected.means(), found.means());
    assertArrayEquals(expected.variances(), found.variances());
    double[] out = new double[2 + 2 * d];
    double[] other = new double[2 + 2 * d];
    for (int p = 0; p < 200; p++) {
      before.gradient(x, p * d, out);
      after.gradient(x, p * d, other);
      assertArrayEquals(out, other);
    }
    // the dense engine of the file knows P within its tolerance, and it is still kriged
    double[] few = Arrays.copyOf(x, 5 * d);
    assertArrayEquals(before.covariance(few, few), after.covariance(few, few), 0.02);
    assertTrue(after.jointBytes(few) > 0);
    Path again = folder.resolve("again");
    ModelFile.write(again, state(after), true);
    assertArrayEquals(read(again).predict(x).variances(), expected.variances());
    assertEquals(d < 3 ? 4 + 21 * (d - 1) : 0, after.entries().length, grid.toString());
  }

  @Test
  void aFileWithoutItsEntriesIsDamaged() throws IOException {
    LatticePosterior posterior = problem(2, 9).posterior();
    Path file = folder.resolve("damaged");
    List<Sections.Part> parts = new ArrayList<>(Layout.sections(state(posterior), true));
    parts.removeIf(part -> part.name().equals("entries"));
    Sections.write(file, Sections.FIRST, parts);
    var missing = assertThrows(ModelFormatException.class, () -> read(file));
    assertTrue(
        String.valueOf(missing.getMessage()).contains("'entries' is missing"),
        String.valueOf(missing.getMessage()));
    parts.add(Sections.Part.of("entries", new double[7]));
    Sections.write(file, Sections.FIRST, parts);
    var few = assertThrows(ModelFormatException.class, () -> read(file));
    assertTrue(
        String.valueOf(few.getMessage()).contains("2,025 numbers, got 7"),
        String.valueOf(few.getMessage()));
    parts.removeLast();
    parts.add(Sections.Part.of("entries"));
    Sections.write(file, Sections.FIRST, parts);
    var none = assertThrows(ModelFormatException.class, () -> read(file));
    assertTrue(
        String.valueOf(none.getMessage()).contains("needs the entries"),
        String.valueOf(none.getMessage()));
  }

  @Test
  void aWayBetweenGridPointsThatIsNotKnownIsRefused() throws IOException {
    LatticePosterior posterior = problem(1, 20).posterior();
    Path file = folder.resolve("other");
    List<Sections.Part> parts = new ArrayList<>(Layout.sections(state(posterior), true));
    byte[] about = (byte[]) parts.removeFirst().arrays().getFirst();
    String text = new String(about, StandardCharsets.UTF_8);
    String changed = text.replace("between\tkriging", "between\tmagic");
    parts.addFirst(Sections.Part.of("about", changed.getBytes(StandardCharsets.UTF_8)));
    Sections.write(file, Sections.FIRST, parts);
    var refused = assertThrows(ModelFormatException.class, () -> read(file));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("'magic', not kriging"),
        String.valueOf(refused.getMessage()));
  }
}
