package lovelace.forecast;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;
import org.jspecify.annotations.Nullable;

/// The parts of a file of forecasts as bytes. [ForecastFile] tells the layout.
final class Binary {

  /// No length in a file is longer.
  private static final int MOST = 1 << 28;

  private Binary() {}

  /// A file that cannot be read for what it holds.
  static final class Damaged extends IOException {
    private static final long serialVersionUID = 1;

    Damaged(String reason) {
      super(reason);
    }
  }

  /// Counts the bytes that were read.
  static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    long count() {
      return count;
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      if (b >= 0) count++;
      return b;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
      int read = super.read(bytes, from, most);
      if (read > 0) count += read;
      return read;
    }
  }

  static int count(DataInputStream in, int most) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most) throw new Damaged("it has a length of " + count);
    return count;
  }

  static void text(DataOutputStream out, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeInt(-1);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static String text(DataInputStream in) throws IOException {
    return text(in, count(in, MOST));
  }

  private static String text(DataInputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) throw new java.io.EOFException();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static void texts(DataOutputStream out, List<@Nullable String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) text(out, text);
  }

  static List<@Nullable String> texts(DataInputStream in) throws IOException {
    int size = count(in, 100_000);
    List<@Nullable String> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int length = in.readInt();
      if (length < -1 || length > MOST) throw new Damaged("it has a length of " + length);
      all.add(length < 0 ? null : text(in, length));
    }
    return all;
  }

  private static List<String> words(DataInputStream in) throws IOException {
    return texts(in).stream().map(each -> Objects.requireNonNullElse(each, "")).toList();
  }

  static void array(DataOutputStream out, double... values) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + Double.BYTES * values.length);
    bytes.putInt(values.length);
    for (double value : values) bytes.putDouble(value);
    out.write(bytes.array());
  }

  static double[] array(DataInputStream in) throws IOException {
    int length = count(in, MOST / Double.BYTES);
    byte[] bytes = in.readNBytes(Double.BYTES * length);
    if (bytes.length < Double.BYTES * length) throw new java.io.EOFException();
    double[] values = new double[length];
    ByteBuffer.wrap(bytes).asDoubleBuffer().get(values);
    return values;
  }

  static void frequency(DataOutputStream out, Frequency steps) throws IOException {
    text(out, steps.unit().name());
    out.writeDouble(steps.multiple());
    out.writeLong(steps.phase().whole());
    out.writeInt(steps.phase().nano());
    out.writeInt(steps.day());
    text(out, steps.zone().map(ZoneId::getId).orElse(""));
  }

  static Frequency frequency(DataInputStream in) throws IOException {
    Frequency.Unit unit = Frequency.Unit.valueOf(text(in));
    double multiple = in.readDouble();
    Moment phase = new Moment(in.readLong(), in.readInt());
    int day = in.readInt();
    String zone = text(in);
    return new Frequency(
        unit,
        multiple,
        phase,
        day,
        zone.isEmpty() ? Optional.empty() : Optional.of(ZoneId.of(zone)));
  }

  static void table(DataOutputStream out, StoredTable table) throws IOException {
    texts(out, new ArrayList<>(table.ids()));
    texts(out, new ArrayList<>(table.idTypes()));
    text(out, table.time());
    text(out, table.timeType());
    text(out, table.target());
    texts(out, new ArrayList<>(table.form().parts()));
    frequency(out, table.frequency());
  }

  static StoredTable table(DataInputStream in) throws IOException {
    return new StoredTable(
        words(in),
        words(in),
        text(in),
        text(in),
        text(in),
        TimeForm.ofParts(words(in)),
        frequency(in));
  }

  /// The options of version 1.
  static Forecaster oldOptions(DataInputStream in) throws IOException {
    Forecaster options = Forecaster.DEFAULT.withHorizon(in.readInt());
    options = options.withGaps(Forecaster.Gaps.valueOf(text(in)));
    double[] bounds = array(in);
    if (bounds.length == 2) options = options.withBounds(bounds[0], bounds[1]);
    return options.withSeasons(array(in));
  }
}
