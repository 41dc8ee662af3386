package lovelace.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.model.Provenance.Note;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NoteTest {

  /// Lines of models made so far, their kinds, and the name that `inspect` prints them with.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "engine: as asked|ENGINE|engine|as asked",
        "grid: 100 points: x|GRID|grid|100 points: x",
        "left out: x2 was 7.0|LEFT_OUT|left out|x2 was 7.0",
        "feature 2: +0.70 x|FEATURE|feature 2|+0.70 x",
        "features: a network of 3 columns|OTHER|features|a network of 3 columns",
        "joint steps: 300 of 400|OTHER|joint steps|300 of 400",
        "parameters: given|PARAMETERS|parameters|given",
        "parameters used as given, nothing learned|AS_GIVEN|''|parameters used as given, nothing learned",
        "a long beginning: and more|OTHER|''|a long beginning: and more",
        ": nothing before|OTHER|''|: nothing before",
        "engines|OTHER|''|engines",
      })
  void aLineHasItsKindAndPrintsAsItWas(String line, Note.Kind kind, String name, String words) {
    Note note = Note.parse(line);
    assertEquals(kind, note.kind());
    assertEquals(name, note.name());
    assertEquals(words, note.words());
    assertEquals(line, note.toString());
  }

  @ParameterizedTest
  @EnumSource(Note.Kind.class)
  void everyKindComesBackFromItsLine(Note.Kind kind) {
    Note note = new Note(kind, "1: some words");
    assertEquals(note, Note.parse(note.toString()));
  }

  @Test
  void otherParametersDropTheNotesOnTheOldOnes() {
    double[] x = {0, 1, 2, 3, 4, 5};
    Model fitted = Fit.DEFAULT.to(Dataset.of(x, 1, new double[] {0, 1, 0, -1, 0, 1}));
    assertTrue(kinds(fitted).contains(Note.Kind.TRAINING), kinds(fitted).toString());
    Model other = fitted.with(fitted.hyperparameters());
    assertFalse(kinds(other).contains(Note.Kind.TRAINING), kinds(other).toString());
    assertTrue(kinds(other).contains(Note.Kind.PARAMETERS), kinds(other).toString());
    Model again = other.with(fitted.hyperparameters());
    assertEquals(kinds(other), kinds(again));
  }

  private static List<Note.Kind> kinds(Model model) {
    return model.provenance().notes().stream().map(Note::kind).toList();
  }
}
