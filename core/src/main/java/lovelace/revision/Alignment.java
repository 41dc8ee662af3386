package lovelace.revision;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.io.ModelState;
import lovelace.model.Provenance.Note;
import lovelace.source.Source;
import lovelace.source.internal.SomeColumns;

/// Rows for a model that leaves out columns of its table or reads words. The model's columns are
/// picked by name, words get the model's codes, and columns that were left out are checked for new
/// values.
public final class Alignment {

  private final ModelState model;
  private final Source given;
  private final int[] places;
  private final List<Watched> watched = new ArrayList<>();
  private final Map<Integer, double[]> codes = new TreeMap<>(); // of the model, by those given

  /// A column left out by the model that the rows have, and its range in them.
  private static final class Watched {
    final LeftOut column;
    final int place;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;

    Watched(LeftOut column, int place) {
      this.column = column;
      this.place = place;
    }
  }

  /// Rows for a model.
  public Alignment(ModelState model, Source given) {
    this.model = model;
    this.given = given;
    List<String> classes = given.target().values();
    if (!classes.isEmpty() && !classes.equals(model.target().values()))
      throw new IllegalArgumentException(
          "the target '%s' has the words %s in these rows and %s in the model; give its words in that order"
              .formatted(given.target().name(), classes, model.target().values()));
    places = places(model, given.columns());
    List<String> names = names(given.columns());
    if (places.length < names.size())
      for (LeftOut out : model.leftOut()) {
        int at = names.indexOf(out.column().name());
        if (at >= 0) watched.add(new Watched(out, at));
      }
    for (int j = 0; j < places.length; j++)
      recode(j, model.inputs().get(j), given.columns().get(places[j]));
  }

  /// Maps the codes of words in the rows to those of the model. Numbers are codes already.
  private void recode(int j, Column own, Column theirs) {
    if (theirs.isText() && !own.isText())
      throw new IllegalArgumentException(
          "column '%s' holds words in these rows and numbers in the model; give numbers"
              .formatted(theirs.name()));
    if (theirs.isText() && !theirs.values().equals(own.values()))
      codes.put(j, theirs.values().stream().mapToDouble(own::code).toArray());
  }

  /// The model's columns from some of the given rows.
  private double[] chosen(double[] x, int rows) {
    int d = given.columns().size();
    double[] chosen = SomeColumns.chosen(x, rows, d, places);
    codes.forEach(
        (j, own) -> {
          for (int i = 0; i < rows; i++) {
            int at = i * places.length + j;
            int code = (int) chosen[at];
            chosen[at] = code >= 0 && code < own.length ? own[code] : Column.UNSEEN;
          }
        });
    return chosen;
  }

  /// The rows of a data set with the given columns, reduced to the model's.
  public Dataset rows(Dataset data) {
    if (codes.isEmpty()) return isSame() ? data : data.keeping(places);
    double[] x = chosen(data.inputs(), data.size());
    Dataset all = Dataset.of(x, model.inputs(), data.target(), data.targetColumn());
    return data.weighted() ? all.withWeights(data.weights()) : all;
  }

  /// The positions of the model's columns among these. They are found by name if all are there.
  /// Otherwise they are the same positions, if the numbers of columns are equal and no column is
  /// one that the model leaves out.
  static int[] places(ModelState model, List<Column> columns) {
    List<String> names = names(columns);
    boolean other =
        model.leftOut().stream().map(out -> out.column().name()).anyMatch(names::contains);
    boolean all = names.containsAll(names(model.inputs()));
    if (columns.size() == model.inputs().size() && !other && !all)
      return IntStream.range(0, columns.size()).toArray();
    return model.inputs().stream()
        .mapToInt(
            column -> {
              int at = names.indexOf(column.name());
              if (at < 0)
                throw new IllegalArgumentException(
                    "the model reads the columns %s, the rows have %s; give rows with the model's columns"
                        .formatted(names(model.inputs()), names));
              return at;
            })
        .toArray();
  }

  /// Whether the given columns are the model's, in their order.
  private boolean isSame() {
    return places.length == given.columns().size() && ascend();
  }

  private boolean ascend() {
    return IntStream.range(1, places.length).allMatch(j -> places[j - 1] < places[j]);
  }

  private static List<String> names(List<Column> columns) {
    return columns.stream().map(Column::name).toList();
  }

  /// The rows with the model's columns.
  public Source rows() {
    if (codes.isEmpty() && isSame()) return given;
    if (codes.isEmpty() && watched.isEmpty() && ascend()) return given.keeping(places);
    int d = given.columns().size();
    return new Source() {
      @Override
      public List<Column> columns() {
        return model.inputs();
      }

      @Override
      public Column target() {
        return given.target();
      }

      @Override
      public void read(Sink sink) throws IOException {
        given.read(
            (count, x, y, weights) -> {
              for (Watched w : watched)
                for (int i = 0; i < count; i++) {
                  w.low = Math.min(w.low, x[i * d + w.place]);
                  w.high = Math.max(w.high, x[i * d + w.place]);
                }
              sink.accept(count, chosen(x, count), y, weights);
            });
      }
    };
  }

  /// Reports columns left out by the model that have new values in these rows. Call it after the
  /// rows were read.
  public List<Note> notes() {
    List<Note> notes = new ArrayList<>();
    for (Watched w : watched) {
      String change = w.column.change(w.low, w.high);
      if (!change.isEmpty()) notes.add(new Note(Note.Kind.LEFT_OUT, change));
    }
    return notes;
  }
}
