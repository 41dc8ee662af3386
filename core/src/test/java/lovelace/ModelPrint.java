package lovelace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;

/// All that a model says, as text: numbers to the bit, and without times and versions.
final class ModelPrint {

  /// A part of a model's output that may move when the code changes.
  enum Part {
    /// Means, variances and covariances.
    PREDICTIONS,
    /// Joint draws.
    DRAWS,
    /// The likelihood, the hyperparameters, the steps of learning, the drift and the count.
    EVIDENCE,
    /// The model's text for people.
    NOTES,
    /// The file.
    BYTES
  }

  private static final int DRAWN = 5;
  private static final int COVARIANCES = 4;

  /// Seconds that were measured, such as `in 0.31 s`, and times of day.
  private static final Pattern TIMES =
      Pattern.compile("\\b[0-9][0-9.,]*(e-?[0-9]+)? s\\b|\\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z");

  /// Lines of a file that hold when a model was made, and by which version.
  private static final Pattern CHANGING = Pattern.compile("(?m)^(created|lovelace)\t[^\n]*$");

  private ModelPrint() {}

  /// The parts of a model of some rows.
  ///
  /// @param points in the columns of the model
  /// @param file is overwritten
  static Map<Part, String> of(Model model, double[] points, Path file) {
    Map<Part, String> parts = new EnumMap<>(Part.class);
    for (Part part : Part.values())
      parts.put(
          part,
          told(
              () ->
                  switch (part) {
                    case PREDICTIONS -> predictions(model, points);
                    case DRAWS -> draws(model, points);
                    case EVIDENCE -> evidence(model);
                    case NOTES -> notes(model);
                    case BYTES -> bytes(model, file);
                  }));
    return parts;
  }

  /// The text, or what an exception says in its place.
  static String told(Callable<String> what) {
    try {
      return what.call();
    } catch (Exception e) {
      return "refused: " + e.getClass().getSimpleName() + " " + e.getMessage() + "\n";
    }
  }

  private static String bits(double... values) {
    StringBuilder text = new StringBuilder();
    for (double value : values) text.append(Double.toHexString(value)).append(' ');
    return text.append('\n').toString();
  }

  private static String bits(Prediction p) {
    StringBuilder text = new StringBuilder(bits(p.means())).append(bits(p.variances()));
    for (int i = 0; i < p.size(); i++)
      text.append(p.outside(i) ? 'o' : '.').append(p.atBound(i) ? 'b' : '.');
    return text.append('\n').toString();
  }

  private static String predictions(Model model, double[] points) {
    int d = model.columns().size();
    double[] four = SmallCase.few(points, d, COVARIANCES);
    double[] sizes = new double[points.length / d];
    Arrays.fill(sizes, 2);
    Of usual = model.likelihood().usual();
    return "function "
        + told(() -> bits(model.predict(points)))
        + "usual "
        + told(() -> bits(model.predict(points, usual)))
        + "observation "
        + told(() -> bits(model.predict(points, Of.OBSERVATION, sizes)))
        + "covariance "
        + told(() -> bits(model.posterior().covariance(four, four)))
        + "area "
        + told(() -> bits(area(model, four)));
  }

  private static Prediction area(Model model, double[] four) {
    return model.average(
        four,
        new double[0],
        new int[] {0, 2, COVARIANCES},
        model.likelihood().usual(),
        20,
        new SplittableRandom(3));
  }

  private static String draws(Model model, double[] points) {
    double[] few = SmallCase.few(points, model.columns().size(), DRAWN);
    return "function "
        + told(() -> bits(model.sample(few, 2, new SplittableRandom(1))))
        + "observation "
        + told(
            () ->
                bits(model.sample(few, 2, Of.OBSERVATION, new double[0], new SplittableRandom(2))));
  }

  private static String evidence(Model model) {
    StringBuilder text = new StringBuilder();
    text.append("likelihood ").append(bits(model.logMarginalLikelihood()));
    text.append("parameters ").append(model.hyperparameters()).append('\n');
    text.append(bits(model.hyperparameters().values()));
    text.append("noise ").append(told(() -> bits(model.noise())));
    text.append("count ").append(model.count()).append('\n');
    text.append("errors ").append(model.provenance().standardErrors()).append('\n');
    model.provenance().trace().forEach(step -> text.append(step).append('\n'));
    model
        .drift()
        .forEach(
            c ->
                text.append("drift ")
                    .append(c.name())
                    .append(' ')
                    .append(bits(c.value(), c.standardError())));
    model.observed().ifPresent(rows -> text.append("observed ").append(rows(rows)));
    return text.toString();
  }

  private static String rows(Dataset rows) {
    return bits(rows.inputs()) + bits(rows.target()) + bits(rows.weights());
  }

  private static String notes(Model model) {
    StringBuilder text = new StringBuilder();
    text.append(model).append('\n').append(model.plan()).append('\n');
    text.append("fingerprint ").append(model.provenance().fingerprintText()).append('\n');
    model.provenance().notes().forEach(note -> text.append(note).append('\n'));
    model.certificate().ifPresent(c -> text.append(c).append('\n'));
    model.missed().ifPresent(missed -> text.append(missed).append(missed.grid()).append('\n'));
    text.append(model.columns()).append(model.processColumns()).append(model.leftOut());
    text.append(model.target()).append(model.transform()).append(model.place());
    return masked(text.append('\n').toString());
  }

  static String masked(String text) {
    return TIMES.matcher(text).replaceAll("…");
  }

  /// The format, and every section by its name: text as it is, numbers as a hash.
  private static String bytes(Model model, Path file) throws IOException {
    model.save(file);
    byte[] all = Files.readAllBytes(file);
    Files.delete(file);
    ByteBuffer buffer = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    StringBuilder text = new StringBuilder("format " + buffer.getInt(8) + "\n");
    for (int k = 0; k < buffer.getInt(12); k++) {
      int entry = 32 + 40 * k;
      String name = new String(all, entry, 16, StandardCharsets.US_ASCII).trim();
      int from = (int) buffer.getLong(entry + 16);
      byte[] section = Arrays.copyOfRange(all, from, from + (int) buffer.getLong(entry + 24));
      text.append(name).append(' ').append(section.length == 0 ? "empty" : "");
      if (name.endsWith("about"))
        text.append('\n')
            .append(
                masked(
                    CHANGING
                        .matcher(new String(section, StandardCharsets.UTF_8))
                        .replaceAll("$1\t…")));
      else text.append(section.length).append(" bytes ").append(hash(section));
      text.append('\n');
    }
    return text.toString();
  }

  /// The first 24 bits of a hash.
  static String hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String hash(byte[] bytes) {
    try {
      byte[] all = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(all, 0, 3);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A model that was refused, in place of all parts.
  static Map<Part, String> refused(String message) {
    return Collections.singletonMap(Part.NOTES, masked(message));
  }
}
