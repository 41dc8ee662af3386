package lovelace.options.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.kernel.Kernel;
import lovelace.likelihood.Likelihood;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.GridChoice;
import lovelace.options.Options.Anisotropy;
import lovelace.options.Options.Given;
import lovelace.options.Options.Learning;
import lovelace.options.Options.Limits;
import lovelace.options.Options.Maker;
import lovelace.options.Options.Shape;
import lovelace.plan.Engine;
import lovelace.plan.Plan;

/// All options with their defaults. A fit changes a copy and never its own.
public final class Settings implements Cloneable {
  public Kernel kernel = Kernel.rbf();
  public boolean kernelGiven = false;
  public String mean = "constant";
  public Optional<List<String>> drift = Optional.empty();
  public List<String> driftInputs = List.of();
  public Likelihood likelihood = Likelihood.gaussian();
  public boolean intensity = false;
  public Shape shape = Shape.AUTO;
  public TargetTransform transform = TargetTransform.NONE;
  public boolean transformGiven = false;
  public boolean columnMaps = true;
  public Optional<Place> place = Optional.empty();
  public Optional<Anisotropy> anisotropy = Optional.empty();
  public GridChoice grid = GridChoice.DEFAULT;
  public Outside outside = Outside.ERROR;
  public Engine engine = Engine.AUTO;
  public int neighbours = 0;
  public double tolerance = 0.01;
  public boolean training = true;
  public Learning learning = new Learning(Lbfgs.DEFAULT, 1, 1, Progress.NONE);
  public List<Given> given = List.of();
  public Maker maker = Maker.LIBRARY;
  public Limits limits = Limits.DEFAULT;
  public Consumer<Plan> listener = plan -> {};

  /// All options by name, in the order of the fields.
  public SequencedMap<String, Object> values() {
    SequencedMap<String, Object> all = new LinkedHashMap<>();
    all.put("kernel", kernel);
    all.put("kernel given", kernelGiven);
    all.put("mean", mean);
    all.put("drift", drift.isPresent() ? drift.get() : "none");
    all.put("drift inputs", driftInputs);
    all.put("likelihood", likelihood.toString());
    all.put("intensity", intensity);
    all.put("shape", shape);
    all.put("transform", transform);
    all.put("transform given", transformGiven);
    all.put("column maps", columnMaps);
    all.put("place", place.isEmpty() ? "none" : place.get());
    all.put("anisotropy", anisotropy.isEmpty() ? "none" : anisotropy.get());
    all.put("grid", grid);
    all.put("outside", outside);
    all.put("engine", engine);
    all.put("neighbours", neighbours);
    all.put("tolerance", tolerance);
    all.put("training", training);
    all.put("learning", learning);
    all.put("given", given);
    all.put("maker", maker);
    all.put("limits", limits);
    all.put("listener", listener);
    return all;
  }

  @Override
  public Settings clone() {
    try {
      return (Settings) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
