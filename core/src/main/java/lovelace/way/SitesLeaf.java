package lovelace.way;

import java.util.List;
import java.util.Locale;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.laplace.WorkingProcess;
import lovelace.laplace.WorkingRows;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.planning.Costs;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sites.SiteGp;
import lovelace.sparse.SparseEngine;

/// A grid with the rows as sites between its points, for a rough kernel.
///
/// @param neighbours of each site; 0 for the usual number
public record SitesLeaf(int neighbours) implements RowLeaf {

  /// The most rows for which a model with a drift uses its restricted likelihood directly. With
  /// more rows, learning by neighbours gives about the same, and the coefficients matter less.
  static final int RESTRICTED_ROWS = 1500;

  @Override
  public Engine engine() {
    return Engine.SITES;
  }

  @Override
  public int mostRows() {
    return SiteGp.MOST_ROWS;
  }

  @Override
  public String remedy() {
    return "use engine sparse, which makes a grid";
  }

  @Override
  public double leastNoise(Hyperparameters h, int dimensions) {
    return leastNoiseOf(h, dimensions);
  }

  /// The smallest noise for which sparse matrices can explain different values at one place; NaN if
  /// the kernel does not tell, or there is noise.
  static double leastNoiseOf(Hyperparameters h, int dimensions) {
    if (h.noise() != 0 || !h.unset().isEmpty()) return Double.NaN;
    return 1.01 * SparseEngine.NO_NOISE * h.kernel().variance(new double[dimensions], 0);
  }

  @Override
  public SiteGp condition(Dataset rows, Hyperparameters h) {
    int k = neighbours > 0 ? neighbours : SiteGp.neighbours(rows.dimensions());
    return SiteGp.of(rows, SiteGp.grid(rows, h), h, k);
  }

  @Override
  public Learned learn(Dataset rows, Hyperparameters start, Learning how) {
    return NearestLeaf.learn(rows, start, NearestLeaf.LEARNING, how);
  }

  @Override
  public int restrictedRows() {
    return RESTRICTED_ROWS;
  }

  @Override
  public WorkingProcess working(double[] places, int dimensions) {
    return new WorkingRows(engine().toString(), places, dimensions, this::condition);
  }

  @Override
  public Costs costs(long rows, Kernel kernel, boolean learning) {
    return Costs.sites(rows, kernel.dimensions(), learning);
  }

  @Override
  public List<Note> facts(RowPosterior posterior) {
    SiteGp gp = (SiteGp) posterior;
    return List.of(
        new Note(
            Note.Kind.GRID,
            String.format(
                Locale.ROOT,
                "%s, with %,d sites at the rows between its points; each has %d neighbours,"
                    + " which leaves variances within a few per cent of the exact process",
                gp.grid(),
                gp.sites(),
                gp.neighbours())));
  }
}
