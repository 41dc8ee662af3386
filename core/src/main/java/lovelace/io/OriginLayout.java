package lovelace.io;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import lovelace.bare.Bare;
import lovelace.io.Sections.Part;
import lovelace.lattice.LatticePosterior;
import lovelace.love.Love;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate;

/// Writes and reads where a model comes from: its plan, its provenance, notes and trace.
final class OriginLayout {

  private OriginLayout() {}

  static void put(Text about, Provenance p) {
    about
        .put("lovelace", p.version())
        .put("created", p.created())
        .put("command", p.command())
        .put("fingerprint", p.fingerprintText());
    about.put("standard-errors", p.standardErrors().toArray());
    for (Note note : p.notes()) about.put("note", note);
  }

  static Provenance provenance(Sections sections, Text about, int parameters) {
    List<Provenance.Step> trace = trace(sections, parameters);
    try {
      return new Provenance(
          about.text("lovelace"),
          Instant.parse(about.text("created")),
          Long.parseUnsignedLong(about.text("fingerprint"), 16),
          about.text("command"),
          about.fields("standard-errors", 0).stream().map(Text::toNumber).toList(),
          trace,
          notes(about));
    } catch (DateTimeException | NumberFormatException e) {
      throw new IllegalArgumentException("its provenance cannot be read", e);
    }
  }

  private static List<Note> notes(Text about) {
    return about.all("note").stream().map(fields -> Note.parse(String.join("\t", fields))).toList();
  }

  static void putPlan(Text about, Plan plan) {
    about.put("plan", EngineLayout.text(plan.asked()), plan.tolerance(), plan.seed());
    String chosen = EngineLayout.text(plan.chosen());
    about.put("planned", chosen, plan.reason(), plan.on(), plan.seconds(), plan.bytes());
  }

  static Plan plan(Text about, Bare posterior) {
    Certificate certificate = posterior.lattice().map(LatticePosterior::certificate).orElse(null);
    boolean rows = certificate == null;
    Engine asked;
    double tolerance;
    long seed = 1;
    if (!about.all("plan").isEmpty()) {
      List<String> fields = about.fields("plan", 3);
      asked = EngineLayout.read(fields.get(0), rows);
      tolerance = Text.toNumber(fields.get(1));
      seed = Text.toInteger(fields.get(2));
    } else if (certificate == null) {
      asked = Engine.AUTO;
      tolerance = Love.DEFAULT.tolerance();
    } else {
      // files made before it was recorded say by the text of a line whether their engine was asked
      // for; their
      // updates had seed 1
      boolean noted =
          about.all("note").stream()
              .anyMatch(line -> String.join("\t", line).startsWith("engine: as asked"));
      asked = noted ? certificate.engine() : Engine.AUTO;
      tolerance = certificate.tolerance();
    }
    if (about.all("planned").isEmpty()) { // not recorded before
      Engine chosen = certificate != null ? certificate.engine() : posterior.onRows().engine();
      return new Plan(asked, chosen, "", "", tolerance, seed, Double.NaN, 0);
    }
    List<String> fields = about.fields("planned", 5);
    return new Plan(
        asked,
        EngineLayout.read(fields.get(0), rows),
        fields.get(1),
        fields.get(2),
        tolerance,
        seed,
        Text.toNumber(fields.get(3)),
        Text.toInteger(fields.get(4)));
  }

  static void putTrace(List<Part> parts, List<Provenance.Step> steps) {
    if (!steps.isEmpty()) parts.add(Part.of("trace", trace(steps)));
  }

  private static double[] trace(List<Provenance.Step> steps) {
    return steps.stream()
        .flatMapToDouble(
            s ->
                DoubleStream.concat(
                    DoubleStream.of(
                        s.iteration(), s.evaluations(), s.objective(), s.gradientNorm()),
                    s.parameters().stream().mapToDouble(Double::doubleValue)))
        .toArray();
  }

  private static List<Provenance.Step> trace(Sections sections, int parameters) {
    List<Provenance.Step> steps = new ArrayList<>();
    if (!sections.has("trace")) return steps;
    int width = 4 + parameters;
    double[] all = sections.doubles("trace");
    sections.require("trace", 8, (long) all.length / width * width);
    for (int at = 0; at < all.length; at += width)
      steps.add(
          new Provenance.Step(
              (int) all[at],
              (int) all[at + 1],
              all[at + 2],
              all[at + 3],
              Arrays.stream(all, at + 4, at + width).boxed().toList()));
    return steps;
  }
}
