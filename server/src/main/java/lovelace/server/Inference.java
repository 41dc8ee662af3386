package lovelace.server;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.posterior.Gaussian;
import lovelace.posterior.GridPosterior;
import lovelace.posterior.PointSampler;
import lovelace.posterior.Prediction;
import lovelace.posterior.Sampling;
import org.jspecify.annotations.Nullable;

/// What a model answers to a request, and how that is written: JSON, then the bytes of those
/// tensors that were asked for as bytes.
final class Inference {

  /// The outputs of every model, in the order of its metadata.
  static final List<String> OUTPUTS =
      List.of("mean", "variance", "stddev", "lower", "upper", "outside", "samples");

  /// An answer: the body, and how many bytes of it are JSON.
  @SuppressWarnings("ArrayRecordComponent") // handed over, not kept
  record Answer(byte[] body, int json, boolean binary, int rows) {}

  private final Served.Version version;
  private final InferRequest request;
  private final List<InferRequest.Output> outputs = new ArrayList<>();
  private final int draws;

  Inference(Served.Version version, InferRequest request) {
    this.version = version;
    this.request = request;
    List<InferRequest.Output> wanted = request.outputs;
    if (wanted == null || wanted.isEmpty()) {
      for (String name : OUTPUTS)
        if (!name.equals("samples") || request.draws > 0)
          outputs.add(new InferRequest.Output(name, null));
    } else {
      LinkedHashSet<String> names = new LinkedHashSet<>();
      for (InferRequest.Output output : wanted) {
        if (!OUTPUTS.contains(output.name()))
          throw Refusal.wrong(
              "unknown output '%s'; there are %s", output.name(), String.join(", ", OUTPUTS));
        if (!names.add(output.name()))
          throw Refusal.wrong("output '%s' is asked for twice", output.name());
        outputs.add(output);
      }
    }
    draws = has("samples") ? Math.max(1, request.draws) : 0;
  }

  private boolean has(String name) {
    return outputs.stream().anyMatch(output -> output.name().equals(name));
  }

  Answer answer(ServerOptions.Limits limits, Gate.Pass pass) {
    Model model = version.model();
    double[] points = request.points(model, limits.rows());
    int rows = points.length / model.columns().size();
    if ((long) rows * draws > limits.rows())
      throw new Refusal(
          413,
          "%,d rows times %,d draws are more than %,d; ask for fewer"
              .formatted(rows, draws, limits.rows()));
    if (rows > 64) pass.reserve((long) rows * (64 + 28L * outputs.size() + 36L * draws));
    Prediction prediction = null;
    if (outputs.size() > 1 || draws == 0) {
      prediction = model.predict(points);
      if (request.noise) prediction = prediction.withNoise(model.noise());
    }
    double[][] values = new double[outputs.size()][];
    for (int k = 0; k < values.length; k++)
      values[k] = values(outputs.get(k).name(), model, points, prediction, rows);
    return write(values, rows);
  }

  private double[] values(
      String name, Model model, double[] points, @Nullable Prediction prediction, int rows) {
    if (name.equals("samples") || prediction == null) return samples(model, points);
    double[] out = new double[rows];
    switch (name) {
      case "mean" -> {
        for (int i = 0; i < rows; i++) out[i] = prediction.mean(i);
      }
      case "variance" -> {
        for (int i = 0; i < rows; i++) out[i] = prediction.variance(i);
      }
      case "stddev" -> {
        for (int i = 0; i < rows; i++) out[i] = prediction.deviation(i);
      }
      case "outside" -> {
        for (int i = 0; i < rows; i++) out[i] = prediction.outside(i) ? 1 : 0;
      }
      default -> {
        double sign = name.equals("lower") ? -1 : 1;
        double deviations = Gaussian.quantile(0.5 * (1 + sign * request.interval));
        for (int i = 0; i < rows; i++) out[i] = prediction.quantileAt(i, deviations);
      }
    }
    return out;
  }

  /// Joint draws, one row each, the same for the same seed.
  private double[] samples(Model model, double[] points) {
    var random = new SplittableRandom(request.seed);
    double[] drawn;
    GridPosterior lattice = model.lattice();
    if (lattice != null) {
      PointSampler at = lattice.sampler(Sampling.Method.AUTO).at(model.features(points));
      drawn = request.noise ? at.observe(draws, random) : at.draw(draws, random);
    } else {
      var own = random.split();
      drawn = model.posterior().sample(points, draws, random);
      double sigma = request.noise ? Math.sqrt(model.noise()) : 0;
      if (request.noise)
        for (int i = 0; i < drawn.length; i++) drawn[i] += sigma * own.nextGaussian();
    }
    for (int i = 0; i < drawn.length; i++) drawn[i] = model.transform().invert(drawn[i]);
    return drawn;
  }

  private Answer write(double[][] values, int rows) {
    var out = new ByteArrayOutputStream(rows == 1 ? 640 : 1024);
    boolean any = false;
    long bytes = 0;
    try (JsonGenerator json = InferRequest.JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("model_name", version.name());
      json.writeStringField("model_version", version.number());
      if (request.id != null) json.writeStringField("id", request.id);
      json.writeArrayFieldStart("outputs");
      for (int k = 0; k < values.length; k++) {
        InferRequest.Output output = outputs.get(k);
        boolean truth = output.name().equals("outside");
        json.writeStartObject();
        json.writeStringField("name", output.name());
        json.writeStringField("datatype", truth ? "BOOL" : "FP64");
        json.writeArrayFieldStart("shape");
        if (output.name().equals("samples")) json.writeNumber(draws);
        json.writeNumber(rows);
        json.writeEndArray();
        if (binary(output)) {
          any = true;
          long size = values[k].length * (truth ? 1L : 8L);
          bytes += size;
          json.writeObjectFieldStart("parameters");
          json.writeNumberField("binary_data_size", size);
          json.writeEndObject();
        } else {
          json.writeArrayFieldStart("data");
          for (double value : values[k])
            if (truth) json.writeBoolean(value != 0);
            else json.writeNumber(value);
          json.writeEndArray();
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    int head = out.size();
    if (!any) return new Answer(out.toByteArray(), head, false, rows);
    ByteBuffer body =
        ByteBuffer.allocate(Math.toIntExact(head + bytes)).order(ByteOrder.LITTLE_ENDIAN);
    body.put(out.toByteArray());
    for (int k = 0; k < values.length; k++) {
      if (!binary(outputs.get(k))) continue;
      if (outputs.get(k).name().equals("outside")) {
        for (double value : values[k]) body.put((byte) value);
      } else {
        body.asDoubleBuffer().put(values[k]);
        body.position(body.position() + 8 * values[k].length);
      }
    }
    return new Answer(body.array(), head, true, rows);
  }

  private boolean binary(InferRequest.Output output) {
    return output.binary() == null ? request.binary : output.binary();
  }
}
