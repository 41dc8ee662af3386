package lovelace.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.TimeScale;

/// Turns the tensors of a request into columns of a model. Dates and words become numbers, and
/// missing values become the model's replacement for them. Remarks say where that was done.
final class InputColumns {

  /// The most words that a remark names.
  private static final int SHOWN = 5;

  private boolean strict = false; // whether unknown words are refused
  private final List<String> notes = new ArrayList<>();

  /// From now on refuses words that the model has not seen.
  void refuseUnseen() {
    strict = true;
  }

  /// Remarks on replaced values, a line each.
  List<String> remarks() {
    return notes;
  }

  /// The rows of a tensor in the model's columns. Rows may also contain the columns that the model
  /// leaves out, at their places in the table.
  double[] matrix(Tensor tensor, Model model, int most) {
    List<Column> columns = model.columns();
    int d = columns.size();
    int wide = d + model.leftOut().size();
    long[] shape = tensor.shape == null ? new long[0] : tensor.shape;
    boolean fits =
        shape.length == 2
            ? shape[1] == d || shape[1] == wide
            : shape.length == 1 && (d == 1 || wide == 1);
    if (!fits)
      throw Refusal.wrong("input 'x' has shape %s; it must be [rows, %d]", Tensor.text(shape), d);
    requireRows(shape[0], most);
    double[] values = Arrays.copyOf(tensor.values(), tensor.size());
    double[] absent = new double[tensor.hasAbsent() ? values.length : 0];
    for (int i = 0; i < absent.length; i++) absent[i] = tensor.isAbsent(i) ? 1 : 0;
    if (shape.length == 2 && wide > d && shape[1] == wide) {
      values = model.points(values);
      absent = absent.length > 0 ? model.points(absent) : absent;
    }
    for (int i = 0; i < absent.length; i++) if (absent[i] > 0) values[i] = Double.NaN;
    for (int j = 0; j < d; j++) {
      if (!tensor.hasAbsent() && !columns.get(j).isText()) continue; // nothing to check
      double[] column = new double[values.length / d];
      for (int i = 0; i < column.length; i++) column[i] = values[i * d + j];
      checked("x", columns.get(j), column);
      for (int i = 0; i < column.length; i++) values[i * d + j] = column[i];
    }
    return values;
  }

  /// Checks the numbers of one column, and replaces NaN by the value for a missing one. In a column
  /// of words, each number must be that of a word.
  private double[] checked(String input, Column column, double[] values) {
    int filled = 0;
    for (int i = 0; i < values.length; i++) {
      double value = values[i];
      if (Double.isNaN(value)) {
        if (column.fill().isEmpty())
          throw Refusal.wrong(
              "input '%s' has no value of '%s' in row %,d, and the model cannot fill it in; send one",
              input, column.name(), i + 1);
        values[i] = column.fill().getAsDouble();
        filled++;
      } else if (column.isText()
          && !(value == Math.rint(value) && value >= -1 && value < column.values().size()))
        throw Refusal.wrong(
            "input '%s' holds %s for '%s' in row %,d; send words, or the number of a word from 0 to %d",
            input, value, column.name(), i + 1, column.values().size() - 1);
    }
    if (filled > 0)
      notes.add(
          String.format(
              Locale.ROOT,
              "input '%s': %,d missing, read as %s",
              column.name(),
              filled,
              column.format(column.fill().orElseThrow())));
    return values;
  }

  /// The numbers of words. A word that the model has not seen becomes [Column#UNSEEN].
  private double[] words(Tensor tensor, Column column) {
    List<String> words = tensor.texts();
    double[] codes = new double[words.size()];
    NavigableSet<String> unseen = new TreeSet<>();
    int strange = 0;
    for (int i = 0; i < codes.length; i++) {
      codes[i] = tensor.isAbsent(i) ? Double.NaN : column.code(words.get(i));
      if (codes[i] != Column.UNSEEN) continue;
      if (strict)
        throw Refusal.wrong(
            "input '%s' holds '%s' in row %,d, a word that the model has not seen; it knows %s; correct it, or set the parameter 'unseen' to mean",
            tensor.name, words.get(i), i + 1, String.join(", ", column.values()));
      strange++;
      unseen.add(words.get(i));
      if (unseen.size() > SHOWN) unseen.pollLast();
    }
    if (strange > 0)
      notes.add(
          String.format(
              Locale.ROOT,
              "input '%s': %,d words that the model has not seen (%s); these rows are predicted from the other inputs",
              tensor.name,
              strange,
              String.join(", ", unseen)));
    return checked(tensor.name, column, codes);
  }

  /// The values of one column; texts are dates or words.
  double[] column(Tensor tensor, Column column, int most) {
    long[] shape = tensor.shape == null ? new long[0] : tensor.shape;
    if (!(shape.length == 1 || (shape.length == 2 && shape[1] == 1)))
      throw Refusal.wrong(
          "input '%s' has shape %s; it must be [rows] or [rows, 1]",
          tensor.name, Tensor.text(shape));
    requireRows(shape[0], most);
    if (!"BYTES".equals(tensor.datatype)) {
      double[] values = Arrays.copyOf(tensor.values(), tensor.size());
      for (int i = 0; i < values.length; i++) if (tensor.isAbsent(i)) values[i] = Double.NaN;
      return checked(tensor.name, column, values);
    }
    if (column.isText()) return words(tensor, column);
    TimeScale time = column.time().orElse(null);
    if (time == null)
      throw Refusal.wrong("input '%s' holds texts; the model's column holds numbers", tensor.name);
    List<String> texts = tensor.texts();
    double[] values = new double[texts.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = tensor.isAbsent(i) ? Double.NaN : time.find(texts.get(i));
      if (Double.isNaN(values[i]) && !tensor.isAbsent(i))
        throw Refusal.wrong(
            "input '%s' holds '%s' in row %,d, %s",
            tensor.name, texts.get(i), i + 1, time.refusal(texts.get(i)).orElseThrow());
    }
    return checked(tensor.name, column, values);
  }

  /// Refuses too many rows, and none.
  static void requireRows(long rows, int most) {
    if (rows > most)
      throw new Refusal(
          413,
          String.format(
              Locale.ROOT,
              "a request may have at most %,d rows, got %,d; send them in parts",
              most,
              rows));
    if (rows == 0) throw Refusal.wrong("the request has no rows; send one or more");
  }
}
