package lovelace.forecast;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import lovelace.io.AtomicFile;
import lovelace.series.Calibration;
import lovelace.series.Library;
import lovelace.series.Weights;
import lovelace.series.counts.CountModel;

/// A file of forecasts: the model, and the history of every series. Series are written and read one
/// after the other, so the memory does not depend on their number.
///
/// Numbers are big-endian; a text is its length and its UTF-8 bytes, with length −1 if it is not
/// there; an array is its length and its numbers; texts are their number and the texts.
///
/// | part | holds |
/// |---|---|
/// | head | the text `lovelace forecasts`, and the version 2 |
/// | options | texts: names and values in turn; see [Forecaster] |
/// | learned | periods and window chosen, a hash of the library's shapes, weights, powers, factors of the calibration, typical change, number of series learned from, what was learned of counts, numbers of [LongPart] |
/// | table | texts of the names of the columns of ids, texts of their types, names and type of the column of times, name of the column of values, texts of the form of times, frequency |
/// | frequency | unit, multiple, whole seconds and billionths of the phase, day, zone |
/// | series | of each the byte 1, or 2 if its steps differ from those of the table; then these steps if so, words in the columns of ids, number of the first step, values, NaN in gaps |
/// | end | the byte 0, the number of series, the CRC-32 of everything before |
///
/// Version 1 had the horizon, the meaning of gaps, bounds and seasons as options, no hash, nothing
/// of long series and no table, and of each series the id and the values. It is still read.
///
/// Shapes of the library are not stored. If this program has other shapes than the one that wrote
/// the file, weights are learned again from the series of the file.
public final class ForecastFile {

  static final String HEAD = "lovelace forecasts";
  private static final int VERSION = 2;
  private static final int SAME_STEPS = 1;
  private static final int OWN_STEPS = 2;
  private static final int END = Long.BYTES;

  private final Path file;
  private final long bytes;
  private final int version;
  private final Learned learned;
  private final StoredTable table;
  private final long series;
  private final long start; // of the series

  private ForecastFile(
      Path file,
      long bytes,
      int version,
      Learned learned,
      StoredTable table,
      long series,
      long start) {
    this.file = file;
    this.bytes = bytes;
    this.version = version;
    this.learned = learned;
    this.table = table;
    this.series = series;
    this.start = start;
  }

  /// Whether a file begins as files of forecasts do.
  public static boolean isOne(Path file) throws IOException {
    if (!Files.isRegularFile(file)) return false;
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      return HEAD.equals(Binary.text(in));
    } catch (EOFException | Binary.Damaged e) {
      return false;
    }
  }

  /// Opens a file, checks that it is whole, and reads all but its series.
  public static ForecastFile open(Path file) throws IOException {
    try {
      long bytes = Files.size(file);
      if (bytes < HEAD.length() + END || !isOne(file))
        throw new Binary.Damaged("it begins otherwise");
      try (DataInputStream head = new DataInputStream(Files.newInputStream(file))) {
        Binary.text(head);
        int version = head.readInt();
        if (version < 1 || version > VERSION)
          throw new Binary.Damaged(
              "it has version %s, this program reads versions 1 to %s".formatted(version, VERSION));
      }
      check(file, bytes);
      try (Binary.Counted counted =
              new Binary.Counted(new BufferedInputStream(Files.newInputStream(file)));
          DataInputStream in = new DataInputStream(counted)) {
        Binary.text(in);
        int version = in.readInt();
        Learned learned = Learned.read(in, version);
        StoredTable table = version == 1 ? StoredTable.PLAIN : Binary.table(in);
        long series = version == 1 ? in.readInt() : atEnd(file, bytes);
        if (series < 0 || series > bytes)
          throw new Binary.Damaged("it says that it has " + series + " series");
        return new ForecastFile(file, bytes, version, learned, table, series, counted.count());
      }
    } catch (EOFException | Binary.Damaged e) {
      throw damaged(file, e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw damaged(file, new Binary.Damaged("it holds " + e.getMessage()));
    }
  }

  private static IOException damaged(Path file, IOException e) {
    return new IOException(
        "'%s' is not a whole file of forecasts%s; copy the file again, or forecast again"
            .formatted(
                file, e.getMessage() == null ? ", it ends too early" : ": " + e.getMessage()),
        e);
  }

  private static void check(Path file, long bytes) throws IOException {
    CRC32 sum = new CRC32();
    long left = bytes - END;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      while (left > 0) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) throw new EOFException();
        sum.update(buffer, 0, read);
        left -= read;
      }
      if (new DataInputStream(in).readLong() != sum.getValue())
        throw new Binary.Damaged("its check sum is wrong");
    }
  }

  private static long atEnd(Path file, long bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      in.skipNBytes(bytes - 2 * Long.BYTES);
      return in.readLong();
    }
  }

  /// The length in bytes.
  public long bytes() {
    return bytes;
  }

  /// The version of the layout.
  public int version() {
    return version;
  }

  /// The number of series.
  public long series() {
    return series;
  }

  /// How the table was written.
  public StoredTable table() {
    return table;
  }

  /// Whether weights must be learned again, because this program has another library.
  public boolean isOfOtherLibrary() {
    return !learned.fits();
  }

  /// The model. If this program has another library, it is learned again from the series.
  public ForecastModel model() throws IOException {
    if (learned.fits()) return learned.model();
    List<TimeSeries> all = new ArrayList<>();
    forEach(each -> all.add(each.values()));
    return learned.options().learn(all);
  }

  /// Receives series.
  @FunctionalInterface
  public interface Receiver {
    void accept(StoredSeries series) throws IOException;
  }

  /// Reads the series in their order.
  public void forEach(Receiver receiver) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      in.skipNBytes(start);
      for (long i = 0; i < series; i++) receiver.accept(next(in));
    } catch (EOFException | Binary.Damaged e) {
      throw damaged(file, e);
    }
  }

  private StoredSeries next(DataInputStream in) throws IOException {
    if (version == 1) {
      String id = Binary.text(in);
      return StoredSeries.plain(TimeSeries.of(id, Binary.array(in)));
    }
    int kind = in.readByte();
    if (kind != SAME_STEPS && kind != OWN_STEPS)
      throw new Binary.Damaged("it has a series of the kind " + kind);
    var steps = kind == OWN_STEPS ? Binary.frequency(in) : table.frequency();
    var ids = Binary.texts(in);
    String id = Binary.text(in);
    long first = in.readLong();
    return new StoredSeries(ids, steps, first, TimeSeries.of(id, Binary.array(in)));
  }

  /// Begins a file. It replaces the old one when [Writer#finish] is called.
  public static Writer create(Path file, ForecastModel model, StoredTable table)
      throws IOException {
    return new Writer(file, model, table);
  }

  /// Writes a file, series by series.
  public static final class Writer implements AutoCloseable {
    private final AtomicFile whole;
    private final CheckedOutputStream sum;
    private final DataOutputStream out;
    private final StoredTable table;
    private long count;

    private Writer(Path file, ForecastModel model, StoredTable table) throws IOException {
      this.table = table;
      whole = AtomicFile.begin(file);
      boolean begun = false;
      try {
        sum =
            new CheckedOutputStream(
                new BufferedOutputStream(Files.newOutputStream(whole.temporary()), 1 << 16),
                new CRC32());
        out = new DataOutputStream(sum);
        Binary.text(out, HEAD);
        out.writeInt(VERSION);
        Learned.write(out, model);
        Binary.table(out, table);
        begun = true;
      } finally {
        if (!begun) whole.close();
      }
    }

    /// Adds a series.
    public void add(StoredSeries each) throws IOException {
      if (each.values().covariates().isPresent())
        throw new IllegalArgumentException(
            "series '%s' has columns, and files of forecasts hold none; keep the table and forecast it again"
                .formatted(each.values().id()));
      if (each.ids().size() != table.ids().size())
        throw new IllegalArgumentException(
            "series '%s' has %s words as its id, and the table has the columns %s; add it by the table, or forecast all series again"
                .formatted(each.values().id(), each.ids().size(), String.join(", ", table.ids())));
      boolean same = each.steps().equals(table.frequency());
      if (!same && each.steps().equals(StoredTable.PLAIN.frequency()))
        throw new IllegalArgumentException(
            "series '%s' was added without times, and the others have steps of %s (%s); add its rows with their times, or leave it out"
                .formatted(
                    each.values().id(), table.frequency().text(), table.frequency().words()));
      out.writeByte(same ? SAME_STEPS : OWN_STEPS);
      if (!same) Binary.frequency(out, each.steps());
      Binary.texts(out, each.ids());
      Binary.text(out, each.values().id());
      out.writeLong(each.first());
      Binary.array(out, each.values().array());
      count++;
    }

    /// Puts the file in its place.
    public void finish() throws IOException {
      out.writeByte(0);
      out.writeLong(count);
      out.writeLong(sum.getChecksum().getValue());
      out.close();
      whole.finish();
    }

    /// Leaves everything as it was, unless the file was finished.
    @Override
    public void close() throws IOException {
      try (whole) {
        out.close();
      }
    }
  }

  /// The part of a model that is stored.
  private record Learned(
      Forecaster options,
      Library library,
      boolean fits,
      int window,
      Weights weights,
      Calibration calibration,
      double change,
      int from,
      CountModel counts,
      LongPart longPart) {

    ForecastModel model() {
      return new ForecastModel(options, library, window, weights, calibration, change, from, counts)
          .with(longPart);
    }

    static Learned read(DataInputStream in, int version) throws IOException {
      Forecaster options =
          version == 1
              ? Binary.oldOptions(in)
                  .withLikelihood(ValueKind.NUMBERS)
                  .withOutliers(Forecaster.Outliers.KEEP)
              : StoredOptions.of(Binary.texts(in));
      Library library = Library.of(Binary.array(in), options.warps());
      int window = in.readInt();
      boolean fits = version == 1 || in.readInt() == hash(library);
      Weights weights = new Weights(Binary.array(in), Binary.array(in));
      fits &= weights.logWeight().length == library.size() && weights.powers().length == 4;
      double[][] factors = new double[Binary.count(in, 1_000)][];
      for (int i = 0; i < factors.length; i++) factors[i] = Binary.array(in);
      double change = in.readDouble();
      int from = in.readInt();
      CountModel start = CountModel.start(library.seasons());
      Optional<CountModel> counts =
          version == 1 ? Optional.of(start) : CountModel.of(Binary.array(in));
      return new Learned(
          options,
          library,
          fits && counts.isPresent(),
          window,
          weights,
          new Calibration(factors),
          change,
          from,
          counts.orElse(start),
          version == 1 ? LongPart.NONE : LongPart.of(Binary.array(in)));
    }

    static void write(DataOutputStream out, ForecastModel model) throws IOException {
      Binary.texts(out, StoredOptions.texts(model.options()));
      Binary.array(out, model.seasons());
      out.writeInt(model.window());
      out.writeInt(hash(Library.of(model.seasons(), model.options().warps())));
      Binary.array(out, model.weights().logWeight());
      Binary.array(out, model.weights().powers());
      double[][] factors = model.calibration().factors();
      out.writeInt(factors.length);
      for (double[] each : factors) Binary.array(out, each);
      out.writeDouble(model.change());
      out.writeInt(model.learnedFrom());
      Binary.array(out, model.counts().numbers());
      Binary.array(out, model.longPart().numbers());
    }

    /// A hash of the shapes as text, which is the same in every process.
    private static int hash(Library library) {
      return Arrays.hashCode(
          new int[] {
            library.shapes().toString().hashCode(), library.warps().toString().hashCode()
          });
    }
  }
}
