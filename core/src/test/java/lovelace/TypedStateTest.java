package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// State lives in types: no code decides by the text of a note, a label or a message.
class TypedStateTest {

  /// A pattern that only some files may contain.
  private record Rule(String what, Pattern pattern, Set<String> allowed) {

    Rule(String what, String pattern, String... allowed) {
      this(what, Pattern.compile(pattern), Set.of(allowed));
    }

    List<String> broken(String file, String source) {
      if (allowed.contains(file)) return List.of();
      return pattern.matcher(source).results().map(m -> file + what + ": " + m.group()).toList();
    }
  }

  private static final List<Rule> RULES =
      List.of(
          // those that hand notes on and drop some by their kind, and those that show them
          new Rule(
              " takes notes",
              "\\.notes\\(\\)",
              "OriginLayout",
              "FitRun",
              "Revision",
              "DriftFit",
              "DeepFitter",
              "DeepBenchmark",
              "TableBenchmark",
              "MapProgress",
              "ModelReport",
              "StudioFacts"),
          new Rule(
              " reads the text of a note",
              "Note::(text|words|name|toString|parse)"
                  + "|\\bn(otes?)?\\.(text|words|name|toString)\\(\\)"
                  + "|\\bnotes?\\.(startsWith|contains|equals|substring|indexOf|split)\\(\"",
              "TableBenchmark",
              "MapProgress",
              "ModelReport",
              "StudioFacts"),
          new Rule(" makes notes of lines", "Note\\.parse\\(", "OriginLayout", "FitRun"),
          new Rule(
              " reads how an engine works",
              "\\.how\\(\\)",
              "BenchBox",
              "LatticeLayout",
              "Certificate",
              "ModelReport",
              "StudioFacts",
              "FewRowsBenchmark"),
          new Rule(
              " reads a message",
              "(getMessage|explanation|advice|reason|describe|summary)\\(\\)\\)?\\s*"
                  + "\\.(replace\\w*|contains|startsWith|endsWith|split|indexOf|matches|equals)\\("));

  @Test
  void noCodeDecidesByWords() throws IOException {
    List<String> broken = new ArrayList<>();
    int files = 0;
    for (String module :
        List.of("core", "deep", "plot", "maps", "experiments", "server", "spark", "cli"))
      try (Stream<Path> all = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : all.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
          files++;
          String name = file.getFileName().toString().replace(".java", "");
          String source = Files.readString(file);
          for (Rule rule : RULES) broken.addAll(rule.broken(name, source));
        }
      }
    assertTrue(files > 300, "the sources were found, " + files);
    assertEquals(List.of(), broken);
  }

  @Test
  void codeThatReadsWordsIsSeen() {
    List<String> bad =
        List.of(
            "for (Note note : model.provenance().notes()) {}",
            "if (note.text().startsWith(\"as asked\")) return;",
            "switch (Note.parse(line).kind()) {}",
            "certificate.how().split(\",\")[0]",
            "String.valueOf(e.getMessage())\n    .replace(\"more\", \"less\")",
            "chosen.explanation().replace(\"column 1 \", name)");
    for (String source : bad)
      assertEquals(1, RULES.stream().mapToInt(r -> r.broken("Some", source).size()).sum(), source);
  }
}
