package lovelace.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.options.Options;
import lovelace.source.Source;

/// A model. Its rows are `d + 2` numbers: inputs, target, weight.
record ModelContent(Model model) implements Content {

  /// A row as bytes.
  static byte[] row(double... numbers) {
    ByteBuffer out = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    for (double number : numbers) out.putDouble(number);
    return out.array();
  }

  /// The numbers of a row.
  static double[] numbers(byte[] row) {
    double[] numbers = new double[row.length / 8];
    ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(numbers);
    return numbers;
  }

  @Override
  public long count() {
    return model.count();
  }

  @Override
  public long fingerprint() {
    return model.provenance().fingerprint();
  }

  /// The number of columns.
  @Override
  public int form() {
    return model.columns().size();
  }

  private int width() {
    return 8 * (form() + 2);
  }

  @Override
  public int rowEnd(ByteBuffer in, int at, int end) {
    return end - at < width() ? -1 : at + width();
  }

  @Override
  public boolean fits(int bytes) {
    return bytes % width() == 0;
  }

  @Override
  public Content with(List<byte[]> rows, Options.Maker maker) throws IOException {
    int d = form();
    int n = rows.size();
    double[] x = new double[n * d];
    double[] y = new double[n];
    double[] w = new double[n];
    boolean weighted = false;
    for (int i = 0; i < n; i++) {
      double[] row = numbers(rows.get(i));
      System.arraycopy(row, 0, x, i * d, d);
      y[i] = row[d];
      w[i] = row[d + 1];
      weighted |= w[i] != 1;
    }
    Dataset data = Dataset.of(x, model.columns(), y, model.target());
    Source source = Source.of(weighted ? data.withWeights(w) : data);
    return new ModelContent(model.with(source, Outside.ERROR, maker));
  }

  @Override
  public boolean addsInParts() {
    return false;
  }

  @Override
  public long save(Path file, boolean covariance) throws IOException {
    return model.save(file, covariance);
  }
}
