package lovelace.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Trust;
import lovelace.lattice.LatticePosterior;
import lovelace.love.LoveCovariance;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The certificate of a posterior's error comes back from a file.
class CertificateFileTest {

  @TempDir Path folder;

  private static Model model(double tolerance) {
    SplittableRandom random = new SplittableRandom(3);
    int n = 400;
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextDouble();
      y[i] = Math.sin(5 * x[i]) + 0.1 * random.nextGaussian();
    }
    return Fit.DEFAULT
        .withTraining(false)
        .withEngine(Engine.KRYLOV)
        .withTolerance(tolerance)
        .withGrid(GridChoice.DEFAULT.withPoints(200))
        .withKernel("rbf")
        .set("lengthscale", 0.3)
        .set("outputscale", 1.3)
        .set("noise", 1e-6)
        .set("mean", 0.1)
        .to(Dataset.of(x, 1, y));
  }

  private static LatticePosterior lattice(Model model) {
    return assertInstanceOf(LatticePosterior.class, model.posterior());
  }

  @ParameterizedTest
  @CsvSource({"0.01, true", "0.01, false", "1e-6, true", "1e-6, false"})
  void errorsComeBackFromAFile(double tolerance, boolean covariance) throws IOException {
    Model model = model(tolerance);
    Path file = folder.resolve("m.lvl");
    model.save(file, covariance);
    LatticePosterior before = lattice(model);
    LatticePosterior after = lattice(Model.load(file));
    assertEquals(before.certificate(), after.certificate());
    LoveCovariance own = assertInstanceOf(LoveCovariance.class, before.covariance());
    LoveCovariance back = assertInstanceOf(LoveCovariance.class, after.covariance());
    if (tolerance == 0.01) assertTrue(own.shortfall() > 0, "a thin root has a shortfall");
    assertEquals(own.shortfall(), back.shortfall());
    assertEquals(own.orthogonalityLoss(), back.orthogonalityLoss());
    assertArrayEquals(own.pointCache(), back.pointCache());
    double[] points = {0.1, 0.5, 0.9};
    for (int p = 0; p < points.length; p++) {
      double upper = before.certify(points)[1][p];
      double other = after.certify(points)[1][p];
      assertTrue(other >= upper * (1 - 1e-9), upper + " became " + other);
    }
  }

  /// Files of earlier versions have no shortfall; theirs was at most a thousandth of the tolerance.
  @Test
  void aFileWithoutAShortfallHasTheMostItMayHave() throws IOException {
    Path file = folder.resolve("m.lvl");
    model(0.01).save(file);
    var parts = new ArrayList<>(Layout.sections(ModelFile.read(file, Trust.DATA), true));
    byte[] about = (byte[]) parts.removeFirst().arrays().getFirst();
    String now = new String(about, StandardCharsets.UTF_8);
    String earlier = now.replaceFirst("(?m)^(engine\t\\S+\t\\S+\t\\S+)\t\\S+$", "$1");
    assertNotEquals(now, earlier);
    parts.addFirst(Sections.Part.of("about", earlier.getBytes(StandardCharsets.UTF_8)));
    Sections.write(file, Sections.FIRST, parts);
    var love = assertInstanceOf(LoveCovariance.class, lattice(Model.load(file)).covariance());
    assertEquals(1e-5, love.shortfall());
  }
}
