package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.kernel.Hyperparameters;
import lovelace.likelihood.Likelihood;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.internal.RowPosterior;
import lovelace.source.Source;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Messages about an engine are true of that engine: its name, its limit and its own remedy.
class EngineNamesTest {

  private static final Options.Maker MAKER = new Options.Maker("1", "test");
  private static final int K = 12;

  /// Every way to a posterior, with what its model says of itself.
  enum Way {
    EXACT(Engine.EXACT, 1, "matern32", "exact, of all rows"),
    CHAIN(Engine.CHAIN, 1, "matern32", "exact, by the chain of 80 places"),
    SITES(Engine.SITES, 2, "matern12", "of all rows, at 80 sites and the nodes of a "),
    NEIGHBOURS(Engine.NEIGHBOURS, 2, "matern32", "exact, of the 12 nearest rows"),
    LATENT_EXACT(Engine.EXACT, 1, "matern32", "of all rows, by Laplace's approximation"),
    LATENT_CHAIN(
        Engine.CHAIN, 1, "matern32", "by the chain of 80 places, by Laplace's approximation"),
    LATENT_NEIGHBOURS(
        Engine.NEIGHBOURS, 2, "matern32", "of the 12 nearest rows, by Laplace's approximation"),
    DRIFTED_NEIGHBOURS(Engine.NEIGHBOURS, 2, "matern32", "exact, of the 12 nearest rows"),
    SPECTRAL(Engine.SPECTRAL, 2, "rbf", "grid"),
    MARKOV(Engine.MARKOV, 1, "matern32", "grid"),
    SPARSE(Engine.SPARSE, 2, "matern12", "grid"),
    KRYLOV(Engine.KRYLOV, 2, "rbf", "grid"),
    DENSE(Engine.DENSE, 2, "rbf", "grid");

    private final Engine engine;
    private final int columns;
    private final String kernel;
    private final String said;

    Way(Engine engine, int columns, String kernel, String said) {
      this.engine = engine;
      this.columns = columns;
      this.kernel = kernel;
      this.said = said;
    }

    private boolean onGrid() {
      return said.equals("grid");
    }

    private boolean latent() {
      return name().startsWith("LATENT");
    }

    private Fit fit() {
      Fit fit = Fit.DEFAULT.withKernel(kernel).withEngine(engine);
      if (engine == Engine.NEIGHBOURS) fit = fit.withNeighbours(K);
      if (onGrid()) fit = fit.withGrid(GridChoice.DEFAULT.withPoints(columns == 1 ? "40" : "16"));
      if (latent()) fit = fit.withLikelihood(Likelihood.poisson());
      if (this == DRIFTED_NEIGHBOURS) fit = fit.withDrift(List.of("z"));
      return fit;
    }

    private Dataset rows() {
      var random = new SplittableRandom(7);
      int n = 80;
      boolean drift = this == DRIFTED_NEIGHBOURS;
      int d = columns + (drift ? 1 : 0);
      double[] x = random.doubles((long) n * d, 0, 4).toArray();
      double[] y = new double[n];
      for (int i = 0; i < n; i++) {
        double f = Math.sin(2 * x[i * d]) + 0.3 * random.nextGaussian();
        y[i] = latent() ? Math.rint(3 * Math.exp(f)) : f;
      }
      Dataset data = Dataset.of(x, d, y);
      List<Column> names =
          Stream.of("a", "b").limit(columns).map(name -> Column.of(name, "")).toList();
      if (drift) names = Stream.concat(names.stream(), Stream.of(Column.of("z", ""))).toList();
      return data.named(names, Column.of("y"));
    }

    private Model given() {
      Fit fit = fit().withTraining(false).set("lengthscale", 0.8).set("outputscale", 1);
      if (!latent()) fit = fit.set("noise", 0.09);
      return (this == DRIFTED_NEIGHBOURS ? fit : fit.set("mean", 0.1)).to(rows());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aModelNamesItsOwnEngine(Way way) {
    Model model = way.given();
    String line =
        model.toString().lines().filter(l -> l.startsWith("  posterior")).findFirst().orElseThrow();
    assertTrue(line.contains(way.said), line);
    boolean exact =
        way == Way.EXACT
            || way == Way.CHAIN
            || way == Way.NEIGHBOURS
            || way == Way.DRIFTED_NEIGHBOURS;
    assertEquals(exact, line.contains("exact"), line);
    assertEquals(way.engine, model.plan().asked());
    if (way != Way.KRYLOV) // dense matrices cost less for so few rows
    assertEquals(way.engine, model.plan().chosen());
    model.held().ifPresent(rows -> assertEquals(way.engine, rows.engine()));
    assertEquals(way.engine.holdsRows(), model.held().isPresent());
    assertEquals(way.onGrid(), model.held().isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void eachPredictionOfNeighboursTellsHowManyRowsItUses(Way way) {
    Model model = way.given();
    int rows = model.held().map(held -> held.nearestRows().orElse(0)).orElse(0);
    assertEquals(way.engine == Engine.NEIGHBOURS ? K : 0, rows);
  }

  /// The refusal of another engine names the model's engine and the engine asked for.
  @ParameterizedTest
  @EnumSource
  void anotherEngineIsRefusedByTheModelsOwnName(Way way) {
    Model model = way.given();
    Hyperparameters h = model.hyperparameters();
    for (Engine other : Engine.values()) {
      if (other == Engine.AUTO || other == way.engine) continue;
      if (way.onGrid() && !other.holdsRows()) continue;
      String text = refusal(() -> model.with(h, other, MAKER));
      assertTrue(text.contains("engine " + other), text);
      if (!way.onGrid()) assertTrue(text.contains("engine " + way.engine), text);
      assertFalse(text.contains("exact model"), text);
      if (way.engine != Engine.EXACT && other != Engine.EXACT)
        assertFalse(text.contains("exact, of all rows"), text);
    }
  }

  /// Too many rows are refused with the limit and the name of the engine that has it.
  @ParameterizedTest
  @EnumSource(names = {"EXACT", "SITES", "NEIGHBOURS", "DRIFTED_NEIGHBOURS"})
  void aLimitIsSaidOfTheEngineThatHasIt(Way way) {
    Model model = way.given();
    RowPosterior rows = model.held().orElseThrow();
    Source many = many(model, rows.mostRows() + 1);
    String text = refusal(() -> added(model, many));
    String most = String.format(Locale.ROOT, "at most %,d rows", rows.mostRows());
    assertTrue(text.contains("engine " + way.engine) && text.contains(most), text);
    assertFalse(text.contains("exact model"), text);
  }

  /// Models of different kinds are not merged, and the refusal says the kind of each.
  @ParameterizedTest
  @EnumSource(names = {"EXACT", "CHAIN", "SITES", "NEIGHBOURS"})
  void theRefusalOfAMergeSaysTheKindOfEach(Way way) {
    Model model = way.given();
    Fit grid =
        Fit.DEFAULT
            .withKernel(way.kernel)
            .withEngine(Engine.KRYLOV)
            .withGrid(GridChoice.DEFAULT.withPoints(way.columns == 1 ? "40" : "16"))
            .withTraining(false)
            .set("lengthscale", 0.8)
            .set("outputscale", 1)
            .set("noise", 0.09)
            .set("mean", 0.1);
    Model other = grid.to(way.rows());
    String text = refusal(() -> Model.merge(model, other));
    assertTrue(text.contains("rows with engine " + way.engine), text);
    assertTrue(text.contains("on a grid"), text);
  }

  /// The model learns as the fit did: by the same engine, with as many neighbours.
  @ParameterizedTest
  @EnumSource(names = {"EXACT", "CHAIN", "SITES", "NEIGHBOURS", "LATENT_NEIGHBOURS"})
  void learningAgainFindsWhatTheFitFinds(Way way) {
    Dataset rows = way.rows();
    Model given = way.given();
    Hyperparameters start = given.hyperparameters();
    Fit from = way.fit();
    for (var p : start.parameters()) from = from.set(p.path(), p.values());
    Model fitted = from.to(rows);
    Model learned = given.learn(start);
    double[] expected = fitted.hyperparameters().values();
    double[] actual = learned.hyperparameters().values();
    for (int i = 0; i < expected.length; i++)
      assertEquals(
          expected[i],
          actual[i],
          1e-6 * (1 + Math.abs(expected[i])),
          () -> Arrays.toString(expected) + " and " + Arrays.toString(actual));
    assertNotEquals(start, learned.hyperparameters());
  }

  private static Model added(Model model, Source rows) {
    return Fit.inMemory(() -> model.with(rows, Outside.ERROR, MAKER));
  }

  private static String refusal(Supplier<Model> made) {
    return String.valueOf(assertThrows(IllegalArgumentException.class, made::get).getMessage());
  }

  /// As many rows as are asked for, all at one place.
  private static Source many(Model model, int count) {
    int d = model.columns().size();
    double[] x = new double[count * d];
    double[] y = new double[count];
    return new Source() {
      @Override
      public List<Column> columns() {
        return model.columns();
      }

      @Override
      public Column target() {
        return model.target();
      }

      @Override
      public void read(Sink sink) {
        sink.accept(count, x, y, Optional.empty());
      }
    };
  }
}
