package lovelace.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.FeatureMap;
import lovelace.data.LinearMap;
import lovelace.data.PlaceMap;
import lovelace.data.TargetTransform;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.kernel.Parameter;
import lovelace.laplace.Window;
import lovelace.lattice.LatticePosterior;
import lovelace.model.Provenance.Note;
import lovelace.posterior.Certificate;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.internal.RowPosterior;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;

/// Describes a model, for people and as JSON.
final class ModelReport {

  private final Model model;
  private final long bytes;

  /// A model and the length of its file.
  ModelReport(Model model, long bytes) {
    this.model = model;
    this.bytes = bytes;
  }

  private String engine() {
    return model
        .held()
        .map(held -> held.engine().toString())
        .orElseGet(() -> model.certificate().orElseThrow().how());
  }

  /// All facts, in the order in which they are printed. Numbers are in full.
  Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("rows", model.count());
    all.put("inputs", new ColumnTable(model).json());
    all.put(
        "left_out",
        model.leftOut().stream()
            .map(
                out ->
                    ordered(
                        "name", out.column().name(),
                        "unit", out.column().unit(),
                        "value", out.value()))
            .toList());
    all.put("target", column(model.target()));
    if (model.target().isText()) all.put("classes", model.target().values());
    all.put("transform", model.transform().toString());
    all.put("likelihood", model.likelihood().toString());
    model.window().ifPresent(window -> all.put("window", window(window)));
    all.put("kernel", model.hyperparameters().kernel().toString());
    all.put("mean", model.drift().isEmpty() ? model.hyperparameters().mean().toString() : "drift");
    if (!model.drift().isEmpty())
      all.put(
          "drift",
          model.drift().stream()
              .map(
                  c ->
                      ordered(
                          "name", c.name(),
                          "value", c.value(),
                          "standard_error", c.standardError()))
              .toList());
    Map<String, Object> parameters = new LinkedHashMap<>();
    List<String> fixed = new ArrayList<>();
    Map<String, Object> errors = new LinkedHashMap<>();
    int at = 0;
    for (Parameter p : model.hyperparameters().parameters()) {
      parameters.put(p.path(), p.size() == 1 ? (Object) p.values()[0] : p.values());
      double[] own = errors(at, p.size());
      if (own.length > 0) errors.put(p.path(), own.length == 1 ? (Object) own[0] : own);
      if (p.fixed()) fixed.add(p.path());
      at += p.size();
    }
    all.put("parameters", parameters);
    all.put("standard_errors", errors);
    all.put("fixed", fixed);
    all.put("training", training());
    all.put("engine", engine());
    model
        .held()
        .map(RowPosterior::nearestRows)
        .ifPresent(nearest -> nearest.ifPresent(k -> all.put("neighbours", k)));
    all.put(
        "plan",
        ordered(
            "engine", model.plan().asked().toString(),
            "chosen", model.plan().chosen().toString(),
            "reason", model.plan().reason(),
            "on", model.plan().on(),
            "seconds", model.plan().seconds(),
            "bytes", model.plan().bytes(),
            "tolerance", model.plan().tolerance(),
            "seed", model.plan().seed()));
    model.lattice().ifPresent(lattice -> grid(lattice, all));
    FeatureMap features = model.map().orElse(null);
    if (model.place().isPresent() || features instanceof PlaceMap) all.put("place", place());
    if (features instanceof LinearMap map) all.put("projection", projection(map));
    else if (features != null && !(features instanceof PlaceMap))
      all.put(
          "features",
          ordered(
              "kind", features.type(),
              "inputs", features.inputs(),
              "outputs", features.outputs()));
    all.put("log_marginal_likelihood", model.logMarginalLikelihood());
    if (!model.drift().isEmpty()) all.put("likelihood_is", "restricted");
    model.certificate().ifPresent(known -> all.put("certificate", certificate(known)));
    model.missed().ifPresent(missed -> all.put("tolerance_missed", MissedText.json(missed)));
    all.put(
        "provenance",
        ordered(
            "version", model.provenance().version(),
            "created", model.provenance().created().toString(),
            "command", model.provenance().command(),
            "fingerprint", model.provenance().fingerprintText(),
            "notes", model.provenance().notes().stream().map(Note::toString).toList()));
    all.put("holds_training_rows", holdsRows());
    all.put("bytes", bytes);
    return all;
  }

  /// A certificate as JSON.
  static Map<String, Object> certificate(Certificate certificate) {
    return ordered(
        "kind", certificate.bound().kind().toString(),
        "points", certificate.bound().points(),
        "tolerance", certificate.tolerance(),
        "reached", certificate.reached(),
        "solving", certificate.solving(),
        "interpolation", interpolation(certificate.interpolation()),
        "met", certificate.met(),
        "not_covered", certificate.notCovered().stream().map(Certificate.Gap::toString).toList());
  }

  /// How far the lattice may be from the exact process; empty if that is not known.
  private static Map<String, Object> interpolation(Interpolation known) {
    if (!known.known()) return Map.of();
    return ordered(
        "mean", known.mean(),
        "variance", known.variance(),
        "places", known.places(),
        "measured", known.measured());
  }

  /// The names of the parameters and every step of training; no steps if nothing was learned.
  private Map<String, Object> training() {
    return ordered(
        "parameters", model.hyperparameters().names(),
        "trace",
            model.provenance().trace().stream()
                .map(
                    s ->
                        ordered(
                            "iteration", s.iteration(),
                            "evaluations", s.evaluations(),
                            "objective", s.objective(),
                            "gradient_norm", s.gradientNorm(),
                            "parameters", s.parameters()))
                .toList());
  }

  /// The standard errors of `count` values, beginning with value `from`; empty if nothing was
  /// learned.
  private double[] errors(int from, int count) {
    List<Double> all = model.provenance().standardErrors();
    if (all.size() < from + count) return new double[0];
    return all.subList(from, from + count).stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static void grid(LatticePosterior posterior, Map<String, Object> all) {
    switch (posterior.statistics()) {
      case GridStatistics statistics -> {
        Map<String, Object> grid = axes(statistics.grid().axes());
        grid.put("occupied_cells", statistics.occupiedCells());
        grid.put("rows_outside", statistics.skipped());
        all.put("grid", grid);
      }
      case AdditiveStatistics statistics -> {
        List<Object> components = new ArrayList<>();
        for (int c = 0; c < statistics.grid().components(); c++) {
          AdditiveGrid.Component part = statistics.grid().component(c);
          Map<String, Object> grid = axes(part.grid().axes());
          grid.put(
              "columns",
              IntStream.range(0, part.grid().dimensions()).map(part::column).boxed().toList());
          components.add(grid);
        }
        all.put("grid", ordered("components", components, "rows_outside", statistics.skipped()));
      }
    }
  }

  private static Map<String, Object> axes(List<Axis> axes) {
    return ordered(
        "points", axes.stream().map(Axis::points).toList(),
        "lower", axes.stream().mapToDouble(Axis::low).toArray(),
        "upper", axes.stream().mapToDouble(Axis::high).toArray(),
        "step", axes.stream().mapToDouble(Axis::step).toArray());
  }

  /// The coordinates: their columns and system, how they are projected onto a plane, and its
  /// direction.
  private Map<String, Object> place() {
    Map<String, Object> all = new LinkedHashMap<>();
    model
        .place()
        .ifPresent(
            place -> {
              all.put("east", place.east());
              all.put("north", place.north());
              all.put("crs", place.system());
              all.put("geographic", place.isGeographic());
            });
    if (model.map().orElse(null) instanceof PlaceMap map) {
      if (map.projection() != PlaceMap.Projection.NONE) {
        all.put("projection", map.projection().toString());
        all.put("centre", new double[] {map.longitude(), map.latitude()});
        all.put("distortion", map.distortion());
        all.put("unit", "km");
      }
      if (map.angle() != 0) {
        all.put("angle", map.angle());
        all.put("angle_standard_error", map.angleError());
      }
      all.put("axes", map.features(model.columns()).stream().map(ModelReport::column).toList());
    }
    return all;
  }

  /// The weights of the columns in every feature, and the values that they are measured from.
  private static Map<String, Object> projection(LinearMap map) {
    List<double[]> weights = new ArrayList<>();
    for (int f = 0; f < map.outputs(); f++) {
      int feature = f;
      weights.add(
          IntStream.range(0, map.inputs()).mapToDouble(j -> map.weight(feature, j)).toArray());
    }
    return ordered(
        "weights",
        weights,
        "centre",
        IntStream.range(0, map.inputs()).mapToDouble(map::centre).toArray());
  }

  private static Map<String, Object> window(Window window) {
    int d = window.dimensions();
    return ordered(
        "lower", IntStream.range(0, d).mapToDouble(window::low).toArray(),
        "upper", IntStream.range(0, d).mapToDouble(window::high).toArray(),
        "cells", IntStream.range(0, d).map(window::cells).boxed().toList());
  }

  private static Map<String, Object> column(Column column) {
    return ordered("name", column.name(), "unit", column.unit());
  }

  private static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) map.put((String) pairs[i], pairs[i + 1]);
    return map;
  }

  /// The same in words.
  void print(PrintWriter out) {
    line(out, model.window().isPresent() ? "events" : "rows", "%,d", model.count());
    line(
        out,
        "inputs",
        "%s",
        model.columns().stream().map(ModelReport::label).collect(Collectors.joining(", ")));
    for (LeftOut left : model.leftOut())
      line(out, "left out", "%s, the same in all rows; predictions ignore this column", left);
    if (model.window().isPresent())
      line(out, "intensity", "%s", model.window().get().unit(model.columns()));
    else
      line(
          out,
          "target",
          "%s%s",
          label(model.target()),
          model.transform().equals(TargetTransform.NONE) ? "" : ", " + model.transform());
    if (model.target().isText())
      line(
          out,
          "classes",
          "%s is 1, %s is 0",
          model.target().values().get(1),
          model.target().values().get(0));
    String why = "";
    for (Note note : model.provenance().notes())
      if (note.kind() == Note.Kind.ENGINE) why = " (" + note.text() + ")";
      else line(out, note.name(), "%s", note.words());
    line(out, "engine", "%s%s", engine(), why);
    ColumnTable columns = new ColumnTable(model);
    boolean table = columns.isWorthwhile() && columns.hasLengthscales();
    String kernel = model.hyperparameters().kernel().toString();
    line(out, "kernel", "%s", table ? kernel.replaceAll("\\[[^]]{40,}]", "[…]") : kernel);
    int at = 0;
    for (Parameter p : model.hyperparameters().parameters()) {
      StringBuilder values = new StringBuilder();
      double[] errors = errors(at, p.size());
      at += p.size();
      if (table && p.role() == Parameter.Role.LENGTHSCALE) continue; // already in the table
      List<String> axes = axes(p);
      for (int i = 0; i < p.size(); i++) {
        values.append(values.isEmpty() ? "" : ", ").append(number(p.values()[i]));
        if (errors.length > 0 && errors[i] > 0)
          values.append(String.format(Locale.ROOT, " ± %.2g", errors[i]));
        if (!axes.isEmpty()) values.append(' ').append(axes.get(i));
      }
      out.printf(Locale.ROOT, "  %-24s %s%s%n", p.path(), values, p.fixed() ? " (fixed)" : "");
    }
    if (!model.drift().isEmpty()) printDrift(out);
    if (columns.isWorthwhile()) columns.print(out);
    double likelihood = model.logMarginalLikelihood();
    if (Double.isFinite(likelihood))
      line(
          out,
          "evidence",
          "%s (%slog likelihood of %s)",
          number(likelihood),
          model.drift().isEmpty() ? "" : "restricted ",
          model.target().name());
    Certificate certificate = model.certificate().orElse(null);
    if (certificate == null) return;
    line(out, "certificate", "%s", certificate.summary());
    line(
        out,
        "not covered",
        "%s",
        certificate.notCovered().stream()
            .map(Certificate.Gap::toString)
            .collect(Collectors.joining(", ")));
  }

  /// The axes of a lengthscale, with their units, if they are not the inputs; otherwise empty.
  private List<String> axes(Parameter parameter) {
    if (!(model.map().orElse(null) instanceof PlaceMap map)
        || parameter.role() != Parameter.Role.LENGTHSCALE
        || parameter.size() != map.outputs()) return List.of();
    return map.features(model.processColumns()).stream()
        .map(column -> (column.unit() + " " + column.name()).strip())
        .toList();
  }

  /// The coefficients of the mean, which were integrated out.
  private void printDrift(PrintWriter out) {
    line(
        out,
        "drift",
        "the mean of %s is linear in these columns; coefficients ± standard errors:",
        model.transform().equals(TargetTransform.NONE)
            ? model.target().name()
            : model.transform() + " of " + model.target().name());
    for (Model.Coefficient c : model.drift())
      out.printf(
          Locale.ROOT,
          "  %-24s %s%s%n",
          c.name(),
          number(c.value()),
          String.format(Locale.ROOT, " ± %.2g", c.standardError()));
  }

  /// Remarks on how a model was made, a line each.
  static List<String> notes(Model model) {
    return model.provenance().notes().stream()
        .map(note -> note.name() + ": " + note.words())
        .toList();
  }

  private boolean holdsRows() {
    return model.held().isPresent();
  }

  /// The origin and size of the model.
  void printOrigin(PrintWriter out) {
    line(
        out,
        "made",
        "%s by lovelace %s",
        model.provenance().created(),
        model.provenance().version());
    line(out, "command", "%s", model.provenance().command());
    line(out, "plan", "%s", model.plan());
    line(out, "data", "fingerprint %s", model.provenance().fingerprintText());
    line(
        out,
        "file",
        "%s, %s",
        size(bytes),
        holdsRows() ? "with the training rows" : "without training rows");
  }

  static void line(PrintWriter out, String name, String format, Object... values) {
    out.printf(Locale.ROOT, "%-12s", name);
    out.printf(Locale.ROOT, format + "%n", values);
  }

  static String label(Column column) {
    return column.unit().isEmpty() ? column.name() : column.name() + " (" + column.unit() + ")";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }

  static String size(long bytes) {
    return bytes < 1 << 20
        ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
