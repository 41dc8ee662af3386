package lovelace.forecast;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import lovelace.io.AtomicFile;
import lovelace.series.Calibration;
import lovelace.series.Library;
import lovelace.series.Weights;

/// The layout of a file of forecasts. Numbers are big-endian; a text is its length and its UTF-8
/// bytes; an array is its length and its numbers.
///
/// | part | holds |
/// |---|---|
/// | head | the text `lovelace forecasts`, and the version 1 |
/// | options | horizon, names of the meaning of gaps and of the treatment of outliers, bounds (none or two), seasons |
/// | learned | periods and window chosen, weights, powers, factors of the calibration, typical change, number of series learned from |
/// | series | their number; of each the id and the values, NaN in gaps |
/// | end | the CRC-32 of everything before |
///
/// Shapes of the library are not stored: the version stands for them.
final class ForecastFile {

  private static final String HEAD = "lovelace forecasts";
  private static final int VERSION = 1;

  private ForecastFile() {}

  static void write(Path file, Forecasts forecasts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    text(out, HEAD);
    out.writeInt(VERSION);
    ForecastModel model = forecasts.model();
    Forecaster options = model.options();
    out.writeInt(options.horizon());
    text(out, options.gaps().name());
    text(out, options.outliers().name());
    array(out, options.bounds());
    array(out, options.seasons());
    array(out, model.seasons());
    out.writeInt(model.window());
    array(out, model.weights().logWeight());
    array(out, model.weights().powers());
    out.writeInt(model.calibration().factors().length);
    for (double[] factors : model.calibration().factors()) array(out, factors);
    out.writeDouble(model.change());
    out.writeInt(model.learnedFrom());
    array(out, model.longPart().numbers());
    out.writeInt(forecasts.all().size());
    for (Forecast each : forecasts.all()) {
      if (each.series().covariates().isPresent())
        throw new IllegalArgumentException(
            "series '%s' has columns, and files of forecasts hold none; keep the table and forecast it again"
                .formatted(each.id()));
      text(out, each.id());
      array(out, each.series().array());
    }
    CRC32 sum = new CRC32();
    sum.update(bytes.toByteArray());
    out.writeLong(sum.getValue());
    AtomicFile.write(file, bytes.toByteArray());
  }

  static Forecasts read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    try {
      return read(bytes);
    } catch (EOFException | Damaged e) {
      throw new IOException(
          "'%s' is not a whole file of forecasts%s; copy the file again, or forecast again"
              .formatted(
                  file, e.getMessage() == null ? ", it ends too early" : ": " + e.getMessage()),
          e);
    }
  }

  private static Forecasts read(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    if (bytes.length < Long.BYTES + HEAD.length() || !text(in).equals(HEAD))
      throw new Damaged("it begins otherwise");
    int version = in.readInt();
    if (version != VERSION)
      throw new Damaged("it has version " + version + ", this program reads version " + VERSION);
    CRC32 sum = new CRC32();
    sum.update(bytes, 0, bytes.length - Long.BYTES);
    long stored =
        new DataInputStream(new ByteArrayInputStream(bytes, bytes.length - Long.BYTES, Long.BYTES))
            .readLong();
    if (stored != sum.getValue()) throw new Damaged("its check sum is wrong");
    Forecaster options = Forecaster.DEFAULT.withHorizon(in.readInt());
    options = options.withGaps(Forecaster.Gaps.valueOf(text(in)));
    options = options.withOutliers(Forecaster.Outliers.valueOf(text(in)));
    double[] bounds = array(in);
    if (bounds.length == 2) options = options.withBounds(bounds[0], bounds[1]);
    options = options.withSeasons(array(in));
    Library library = Library.of(array(in), options.warps());
    int window = in.readInt();
    Weights weights = new Weights(array(in), array(in));
    if (weights.logWeight().length != library.size() || weights.powers().length != 4)
      throw new Damaged("its weights are those of another library");
    double[][] factors = new double[count(in, 1_000)][];
    for (int i = 0; i < factors.length; i++) factors[i] = array(in);
    ForecastModel model =
        new ForecastModel(
            options,
            library,
            window,
            weights,
            new Calibration(factors),
            in.readDouble(),
            in.readInt())
            .with(LongPart.of(array(in)));
    List<TimeSeries> series = new ArrayList<>();
    int size = count(in, bytes.length);
    for (int i = 0; i < size; i++) {
      String id = text(in);
      series.add(TimeSeries.of(id, array(in)));
    }
    return new Forecasts(model, model.forecast(series));
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] bytes = new byte[count(in, in.available())];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void array(DataOutputStream out, double... values) throws IOException {
    out.writeInt(values.length);
    for (double value : values) out.writeDouble(value);
  }

  private static double[] array(DataInputStream in) throws IOException {
    double[] values = new double[count(in, in.available() / Double.BYTES)];
    for (int i = 0; i < values.length; i++) values[i] = in.readDouble();
    return values;
  }

  private static int count(DataInputStream in, int most) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most) throw new Damaged("it has a length of " + count);
    return count;
  }

  /// A file that cannot be read for what it holds.
  private static final class Damaged extends IOException {
    private static final long serialVersionUID = 1;

    Damaged(String reason) {
      super(reason);
    }
  }
}
