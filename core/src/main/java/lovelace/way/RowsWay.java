package lovelace.way;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.Costs;
import lovelace.posterior.internal.RowPosterior;
import lovelace.source.Source;
import lovelace.survey.TableRows;
import org.jspecify.annotations.Nullable;

/// The process of rows that the model holds, perhaps over features of them.
///
/// @param first null for an existing model
public record RowsWay(Frame frame, RowLeaf leaf, Plan plan, @Nullable First first)
    implements Way<KeptRows> {

  @Override
  public KeptRows read(Source rows, Outside outside) throws IOException {
    Dataset table = table(rows, leaf, first != null);
    if (first != null) first.require(rows, table, leaf.leastNoise(first.from(), width()));
    return kept(table);
  }

  private int width() {
    return frame.map().isPresent() ? frame.map().get().outputs() : frame.columns().size();
  }

  /// All rows, unchanged from the table.
  static Dataset table(Source rows, RowLeaf leaf, boolean fresh) throws IOException {
    return TableRows.read(
        rows,
        leaf.engine(),
        leaf.mostRows(),
        fresh ? leaf.remedy() : "fit all rows with another engine");
  }

  /// The data to keep of rows in the form of the table.
  public KeptRows kept(Dataset table) {
    return new KeptRows(
        frame.transform().apply(table),
        frame.transform().logJacobian(table.target()),
        TableRows.fingerprint(table));
  }

  @Override
  public Learned learn(KeptRows kept, Hyperparameters start, Learning how) {
    return leaf.learn(frame.features(kept.data()), start, how);
  }

  @Override
  public Learned given(KeptRows kept, Hyperparameters h) {
    return Learned.given(h, leaf.engine().toString());
  }

  @Override
  public Conditioned condition(KeptRows kept, Learned at) {
    Hyperparameters h = at.hyperparameters();
    Dataset data = kept.data();
    require(data, leaf, h);
    RowPosterior gp = leaf.condition(frame.features(data), h);
    double evidence = leaf.evidence(gp, at, first != null);
    return Conditioned.of(frame.over(data, gp), plan, at, evidence, facts(leaf, gp, evidence));
  }

  /// The remarks of a model on a posterior of its rows.
  static List<Note> facts(RowLeaf leaf, RowPosterior gp, double evidence) {
    List<Note> facts = new ArrayList<>();
    if (Double.isNaN(evidence)) facts.add(NearestLeaf.UNKNOWN);
    facts.addAll(leaf.facts(gp));
    return facts;
  }

  /// Fails if there are more rows than the engine accepts, or different values at one place without
  /// noise.
  static void require(Dataset data, RowLeaf leaf, Hyperparameters h) {
    if (data.size() > leaf.mostRows())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a model with engine %s keeps its rows, at most %,d, and together there are %,d; fit all of them with engine spectral or krylov, which keep no rows",
              leaf.engine(),
              leaf.mostRows(),
              data.size()));
    TableRows.requireOneValue(data, h.noise(), false);
  }

  @Override
  public RowsWay planned(
      KeptRows kept, Hyperparameters h, Engine asked, long seed, boolean learning) {
    return with(plan(plan, leaf, kept.count(), h, asked, seed, learning));
  }

  @Override
  public RowsWay with(Plan other) {
    return new RowsWay(frame, leaf, other, first);
  }

  /// The plan for a model that holds its rows.
  static Plan plan(
      Plan old,
      RowLeaf leaf,
      long rows,
      Hyperparameters h,
      Engine asked,
      long seed,
      boolean learning) {
    Costs costs = leaf.costs(rows, h.kernel(), learning);
    return new Plan(
        asked,
        leaf.engine(),
        "the model holds its rows",
        String.format(Locale.ROOT, "%,d rows", rows),
        old.tolerance(),
        seed,
        costs.seconds(),
        costs.bytes());
  }

  @Override
  public void requireEngine(Engine asked) {
    requireEngine(leaf, asked);
  }

  /// Fails if another engine is asked for than the one for which the rows are held.
  static void requireEngine(RowLeaf leaf, Engine asked) {
    Engine own = leaf.engine();
    if (asked != Engine.AUTO && asked != own)
      throw new IllegalArgumentException(
          "the model holds its rows with engine %s and stays with it; use engine auto or %s, or fit the rows with engine %s"
              .formatted(own, own, asked));
  }
}
