package lovelace;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import lovelace.kernel.Hyperparameters;
import lovelace.plan.Engine;

/// Makes all small models and prints a hash of each part of what they say, a line each.
///
/// Run it in a process of its own, with plain Java for dense algebra and with one processor. The
/// hashes then do not depend on the machine.
final class SameBits {

  /// Models that take seconds to learn.
  private static final Pattern SLOW =
      Pattern.compile(
          "(spectral|krylov|dense|sparse|sites)/gaussian.noise=varying.*|sites/map.*"
              + "|auto/map.*|krylov/(plain|drift)|.*/projection-.*");

  /// Models on a lattice whose engine is chosen anew.
  private static final Pattern AUTO =
      Pattern.compile("(spectral|sparse|markov|krylov)/(plain|drift|poisson-nodes|additive)");

  /// Makes a model from that of a fit to the first rows.
  private interface Verb {
    Model of(SmallCase one, Model first) throws IOException;
  }

  private final Path folder;
  private final PrintStream full;
  private final Map<String, Verb> verbs = new LinkedHashMap<>();

  private SameBits(Path folder, PrintStream full) {
    this.folder = folder;
    this.full = full;
    verbs.put("trained", (one, first) -> one.model(one.free(), one.first()));
    verbs.put("with", (one, first) -> first.with(one.rest()));
    verbs.put("without", (one, first) -> first.without(one.first().rows(4, 9)));
    verbs.put("changed", (one, first) -> changed(first, one.fit().engine()));
    verbs.put("changed-auto", (one, first) -> changed(first, Engine.AUTO));
    verbs.put("learned", SameBits::learned);
    verbs.put("merged", (one, first) -> Model.merge(first, one.model(one.fit(), one.rest())));
    verbs.put("loaded", (one, first) -> loaded(first));
    verbs.put("loaded-with", (one, first) -> loaded(first).with(one.rest()));
  }

  private static Model changed(Model first, Engine engine) {
    Hyperparameters other = SmallCase.other(first.hyperparameters());
    return first.with(other, engine, Fit.DEFAULT.maker());
  }

  private static Model learned(SmallCase one, Model first) {
    Engine engine = one.fit().engine();
    return first.learn(first.hyperparameters(), engine, SmallCase.FEW, Fit.DEFAULT.maker());
  }

  private Model loaded(Model model) throws IOException {
    Path file = folder.resolve("loaded.lvl");
    model.save(file);
    return Model.load(file);
  }

  /// The lines of one case: a model and what its verbs make of it.
  private List<String> lines(SmallCase one) {
    List<String> lines = new ArrayList<>();
    boolean quick = !SLOW.matcher(one.name()).matches();
    Model first;
    try {
      first = one.model();
    } catch (Exception e) {
      lines.add(refused(one.name(), e));
      // a fit may be refused for what is given only
      if (quick)
        lines.add(line(one.name() + "/trained", one, () -> one.model(one.free(), one.first())));
      return lines;
    }
    lines.add(line(one.name(), one, () -> first));
    verbs.forEach(
        (verb, making) -> {
          boolean left = !quick && verb.equals("trained");
          if (!quick && one.name().startsWith("krylov")) left |= verb.equals("learned");
          if (verb.equals("changed-auto")) left = !AUTO.matcher(one.name()).matches();
          if (!left) lines.add(line(one.name() + "/" + verb, one, () -> making.of(one, first)));
        });
    return lines;
  }

  private interface Making {
    Model make() throws IOException;
  }

  private String line(String name, SmallCase one, Making making) {
    Model model;
    double[] points;
    try {
      model = making.make();
      points = one.points(model);
    } catch (Exception e) {
      return refused(name, e);
    }
    Map<ModelPrint.Part, String> parts = ModelPrint.of(model, points, folder.resolve("model.lvl"));
    full.println("==== " + name);
    parts.forEach((part, text) -> full.println("-- " + part + "\n" + text));
    return name
        + "\t"
        + parts.values().stream().map(ModelPrint::hash).collect(Collectors.joining("\t"));
  }

  private String refused(String name, Exception e) {
    String message = e.getClass().getSimpleName() + ": " + ModelPrint.masked("" + e.getMessage());
    full.println("==== " + name + "\nrefused " + message);
    if (!(e instanceof IllegalArgumentException || e instanceof IllegalStateException))
      e.printStackTrace(full);
    return name + "\trefused\t" + ModelPrint.hash(message);
  }

  /// Writes the lines to the first file, and all texts to the second.
  public static void main(String... args) throws IOException {
    Path folder = Files.createTempDirectory("same-bits");
    List<String> lines = new ArrayList<>();
    try (PrintStream full = new PrintStream(args[1], StandardCharsets.UTF_8)) {
      SameBits bits = new SameBits(folder, full);
      for (SmallCase one : SmallCases.all()) lines.addAll(bits.lines(one));
    }
    Files.write(Path.of(args[0]), lines);
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) Files.delete(file);
    }
    Files.delete(folder);
  }
}
