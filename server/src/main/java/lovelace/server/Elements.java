package lovelace.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// The elements of a tensor in row-major order: numbers, or texts. Nulls are missing values of
/// either kind. The other elements tell which kind it is; if there are none, [#complete] is told.
final class Elements {

  private static final int DEPTH = 8;

  /// About how many bytes a text takes beside its characters, here and where it becomes a number.
  static final int TEXT = 96;

  private double[] values = new double[8];
  private int size = 0;
  private final List<String> texts = new ArrayList<>(0);
  private final BitSet absent = new BitSet(0);
  private int nulls = 0; // before the first number or text
  private int depth = 0;
  private final int[] lengths = new int[DEPTH];

  /// The number of elements.
  int size() {
    return size;
  }

  /// The numbers; the array may be longer.
  double[] values() {
    return values;
  }

  List<String> texts() {
    return texts;
  }

  boolean hasAbsent() {
    return !absent.isEmpty();
  }

  boolean isAbsent(int element) {
    return absent.get(element);
  }

  /// The depth of nesting of the numbers; 0 if nothing was read.
  int depth() {
    return depth;
  }

  /// The number of elements at each level of nesting.
  int[] lengths() {
    return lengths;
  }

  /// Makes an array for `count` numbers and returns it. Earlier numbers are dropped.
  double[] make(int count, Room room) {
    room.take(8L * count);
    values = new double[count];
    size = count;
    return values;
  }

  /// Adds a text.
  void add(String text) {
    texts.add(text);
  }

  /// Reads an array. The parser is at its first token.
  void read(JsonInput in, String name) throws IOException {
    Arrays.fill(lengths, -1);
    array(in, name, 0);
  }

  private void array(JsonInput in, String name, int level) throws IOException {
    if (level == DEPTH)
      throw Refusal.wrong("'data' of input '%s' is nested deeper than %d", name, DEPTH);
    JsonParser json = in.json;
    int count = 0;
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      if (token == JsonToken.START_ARRAY) {
        if (depth != 0 && level + 1 >= depth) throw ragged(name);
        array(in, name, level + 1);
      } else {
        boolean number =
            token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT;
        if (!number && token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NULL)
          throw Refusal.wrong(
              "'data' of input '%s' holds %s at element %,d; it must hold numbers",
              name, token == null ? "nothing" : json.getText(), size);
        if (depth == 0) depth = level + 1;
        else if (depth != level + 1) throw ragged(name);
        in.room.requireElement(name, (long) size + texts.size() + nulls);
        if (number) number(json.getDoubleValue(), in.room);
        else if (token == JsonToken.VALUE_STRING) text(json.getText(), in.room);
        else missing(in.room);
      }
      count++;
    }
    if (lengths[level] < 0) lengths[level] = count;
    else if (lengths[level] != count) throw ragged(name);
  }

  private void number(double value, Room room) {
    for (; nulls > 0; nulls--) put(0, room);
    put(value, room);
  }

  private void put(double value, Room room) {
    if (size == values.length) {
      room.take(16L * size);
      values = Arrays.copyOf(values, 2 * size);
      room.give(8L * size);
    }
    values[size++] = value;
  }

  private void text(String text, Room room) {
    room.take(TEXT + 2L * text.length());
    for (; nulls > 0; nulls--) blank(room);
    texts.add(text);
  }

  private void blank(Room room) {
    room.take(TEXT);
    texts.add("");
  }

  private void missing(Room room) {
    absent.set(size + texts.size() + nulls);
    if (size > 0) put(0, room);
    else if (!texts.isEmpty()) blank(room);
    else nulls++;
  }

  /// Ends reading. If there are only nulls, `words` says whether they are texts or numbers.
  void complete(boolean words, Room room) {
    for (; nulls > 0; nulls--)
      if (words) blank(room);
      else put(0, room);
  }

  private static Refusal ragged(String name) {
    return Refusal.wrong("'data' of input '%s' is ragged; its rows must have one length", name);
  }
}
