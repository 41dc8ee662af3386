package lovelace.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import lovelace.bare.Bare;
import lovelace.data.Column;
import lovelace.io.Sections.Part;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Fitted;
import lovelace.laplace.Observations;
import lovelace.laplace.Window;
import lovelace.posterior.Posterior;

/// Writes and reads Laplace's approximation: its steps, its observations, and the process of the
/// noise.
final class FittedLayout {

  private static final String OBSERVED = "observed";
  private static final String NOISE = "noise.";

  private FittedLayout() {}

  static void put(Text about, List<Part> parts, Fitted fitted, boolean covariance) {
    about.put("mode", fitted.steps(), fitted.residual(), fitted.rows());
    fitted.window().ifPresent(window -> putWindow(about, window));
    fitted
        .data()
        .ifPresent(
            data ->
                parts.add(
                    Part.of(OBSERVED, data.places(), data.values(), data.sizes(), data.extras())));
    Posterior noise = fitted.noise().orElse(null);
    if (noise == null) return;
    Text own = new Text();
    List<Part> sections = new ArrayList<>();
    PosteriorLayout.put(own, sections, Bare.of(noise), covariance, true);
    sections.addFirst(Part.of("about", own.bytes()));
    for (Part part : sections) parts.add(part.under(NOISE));
  }

  static Fitted read(
      Sections sections, Text about, Hyperparameters h, List<Column> columns, Column target) {
    List<String> fields = about.fields("mode", 3);
    long rows = Text.toInteger(fields.get(2));
    Optional<Posterior> noise = Optional.empty();
    if (h.likelihood().isVarying()) {
      Sections own = sections.under(NOISE);
      Text text = Text.of(own.bytes("about"));
      noise = Optional.of(PosteriorLayout.read(own, text, columns, target, null, h.workingNoise()));
    }
    return new Fitted(
        h,
        observations(sections, h, rows),
        noise,
        rows,
        Math.toIntExact(Text.toInteger(fields.get(0))),
        Text.toNumber(fields.get(1)),
        window(about, columns.size(), sections.has(OBSERVED)));
  }

  /// A line for each column: where the window begins and ends, and its cells.
  private static void putWindow(Text about, Window window) {
    for (int j = 0; j < window.dimensions(); j++)
      about.put("window", window.low(j), window.high(j), window.step(j));
  }

  private static Optional<Window> window(Text about, int columns, boolean observed) {
    List<List<String>> lines = about.all("window");
    if (lines.isEmpty()) return Optional.empty();
    if (lines.size() != columns || !observed)
      throw new IllegalArgumentException(
          "its window has %s columns, and the model %s".formatted(lines.size(), columns));
    return Optional.of(
        Window.of(
            lines.stream().mapToDouble(line -> Text.toNumber(line.get(0))).toArray(),
            lines.stream().mapToDouble(line -> Text.toNumber(line.get(1))).toArray(),
            lines.stream().mapToDouble(line -> Text.toNumber(line.get(2))).toArray()));
  }

  private static Optional<Observations> observations(
      Sections sections, Hyperparameters h, long rows) {
    if (!sections.has(OBSERVED)) return Optional.empty();
    int d = h.kernel().dimensions();
    double[] all = sections.doubles(OBSERVED);
    int n = all.length / (d + 3);
    if (n * (d + 3) != all.length || n == 0 || rows < n)
      throw new IllegalArgumentException("its section 'observed' has a wrong length");
    for (double value : all)
      if (!Double.isFinite(value))
        throw new IllegalArgumentException("its section 'observed' holds " + value);
    double[] values = Arrays.copyOfRange(all, n * d, n * (d + 1));
    double[] sizes = Arrays.copyOfRange(all, n * (d + 1), n * (d + 2));
    for (double size : sizes)
      if (!(size > 0)) throw new IllegalArgumentException("an observation has the size " + size);
    return Optional.of(
        Observations.adopt(
            Arrays.copyOf(all, n * d),
            d,
            values,
            sizes,
            Arrays.copyOfRange(all, n * (d + 2), all.length),
            rows));
  }
}
