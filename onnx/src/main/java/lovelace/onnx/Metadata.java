package lovelace.onnx;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.TimeScale;
import lovelace.likelihood.Likelihood;
import lovelace.options.Options;
import lovelace.posterior.Certificate;

/// The description of a model in its file, as texts by name. Lists and numbers are JSON.
final class Metadata {

  static final String PREFIX = "lovelace.";

  /// The names whose texts are JSON.
  static final List<String> PARSED =
      List.of("rows", "columns", "left_out", "target", "interval", "noise");

  private Metadata() {}

  static SequencedMap<String, String> of(Model model, OnnxExport options) {
    SequencedMap<String, String> all = new LinkedHashMap<>();
    all.put("version", Options.Maker.LIBRARY.version());
    all.put("rows", Long.toString(model.count()));
    all.put("columns", json(model.columns().stream().map(Metadata::column).toList()));
    if (!model.leftOut().isEmpty())
      all.put("left_out", json(model.leftOut().stream().map(l -> l.column().name()).toList()));
    all.put("target", json(column(model.target())));
    all.put("transform", model.transform().toString());
    all.put("of", options.of(model).toString());
    all.put("interval", Double.toString(options.interval()));
    all.put("inputs", options.inputs().toString());
    all.put("numbers", options.float32() ? "float32" : "float64");
    all.put("kernel", model.hyperparameters().kernel().toString());
    Likelihood likelihood = model.likelihood();
    all.put("likelihood", likelihood.toString());
    if (likelihood.isGaussian()) all.put("noise", Double.toString(model.noise()));
    model.certificate().map(Certificate::toString).ifPresent(c -> all.put("certificate", c));
    all.put("beyond", "kriged from the nearest place on the grid, which tends to the prior");
    all.put("made", model.provenance().created().toString());
    all.put("made_by", "lovelace " + model.provenance().version());
    all.put("command", model.provenance().command());
    all.put("data", "fingerprint " + model.provenance().fingerprintText());
    SequencedMap<String, String> named = new LinkedHashMap<>();
    all.forEach((key, value) -> named.put(PREFIX + key, value));
    return named;
  }

  private static Map<String, Object> column(Column column) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", column.name());
    if (!column.unit().isEmpty()) all.put("unit", column.unit());
    column.time().ifPresent(time -> all.put("time", time(time)));
    if (column.isText()) all.put("words", column.values());
    if (column.fill().isPresent()) all.put("missing", column.fill().getAsDouble());
    return all;
  }

  /// How dates are converted to numbers.
  private static Map<String, Object> time(TimeScale time) {
    Map<String, Object> all = new LinkedHashMap<>();
    boolean years = time.unit() == TimeScale.Unit.YEARS;
    all.put("unit", time.unit().text());
    if (!years) all.put("origin", time.origin().toString());
    time.offset().ifPresent(offset -> all.put("offset", offset.toString()));
    all.put(
        "number",
        years
            ? "year + (month - 1 + (day - 1) / days of the month) / 12"
            : String.format(Locale.ROOT, "%s since %s", time.unit().text(), time.origin()));
    return all;
  }

  private static String json(Object value) {
    try {
      return new ObjectMapper().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static Object parse(String json) {
    try {
      return new ObjectMapper().readValue(json, Object.class);
    } catch (JsonProcessingException e) {
      return json; // not ours, or newer than this version
    }
  }

  /// A description of an input or output in a few words.
  static String describe(Column column, boolean words) {
    List<String> parts = new ArrayList<>();
    parts.add(column.label());
    column.time().ifPresent(time -> parts.add(String.valueOf(time(time).get("number"))));
    if (column.isText())
      parts.add(words ? "a word" : "the place of its word in the metadata, from 0; -1 for others");
    return String.join(": ", parts);
  }
}
