package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import lovelace.experiments.LikelihoodLattice.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LikelihoodLatticeTest {

  @ParameterizedTest
  @EnumSource
  void latticeIsAsGoodAsTheExactKernelAndLearnsItsParameters(Kind kind) throws IOException {
    List<LikelihoodScore> all = LikelihoodLattice.measure(kind, 24, 1, phase -> {});
    assertEquals(2, all.size());
    LikelihoodScore given = all.getFirst();
    assertEquals("lattice 24x24", given.problem());
    // the cells are wider than those of the published lattice, so that there is less to learn from
    assertTrue(given.mse() > 0.2 && given.mse() < 0.9, () -> kind + ": mse " + given.mse());
    assertEquals(1, given.exactRatio(), 0.01);
    // a Gaussian of the variance stated: its density is that of a draw
    double honest = 0.5 * (Math.log(2 * Math.PI * given.mse()) + 1);
    assertEquals(honest, given.nlpd(), 0.15);
    LikelihoodScore learned = all.getLast();
    assertTrue(learned.parameters().contains("lengthscale"), learned.parameters());
    // few cells say little of the parameters, those of two values least
    assertEquals(given.mse(), learned.mse(), 0.35 * given.mse());
  }
}
