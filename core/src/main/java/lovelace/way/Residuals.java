package lovelace.way;

import java.io.IOException;
import java.util.List;
import lovelace.data.Column;
import lovelace.data.TargetTransform;
import lovelace.drift.Terms;
import lovelace.source.Source;

/// Rows over the columns of the process. Their target is the residual: the transformed target minus
/// a linear mean with given coefficients.
public final class Residuals implements Source {
  private final Source source;
  private final Terms terms;
  private final double[] beta;
  private final TargetTransform transform;

  /// @param source of rows with all columns of the model
  /// @param beta the coefficients; not copied
  public Residuals(Source source, Terms terms, double[] beta, TargetTransform transform) {
    this.source = source;
    this.terms = terms;
    this.beta = beta;
    this.transform = transform;
  }

  @Override
  public List<Column> columns() {
    return source.columns().subList(0, terms.process());
  }

  @Override
  public Column target() {
    return source.target();
  }

  @Override
  public void read(Sink sink) throws IOException {
    double[] f = new double[terms.size()];
    source.read(
        (count, x, y, weights) -> {
          double[] e = new double[count];
          for (int i = 0; i < count; i++) e[i] = of(terms, beta, transform, x, i, y[i], f);
          sink.accept(count, terms.seen(x, count), e, weights);
        });
  }

  /// The residual of the i-th row.
  ///
  /// @param f overwritten
  static double of(
      Terms terms,
      double[] beta,
      TargetTransform transform,
      double[] x,
      int i,
      double y,
      double[] f) {
    terms.basis(x, i * terms.columns(), f, 0);
    double sum = transform.apply(y);
    for (int j = 0; j < f.length; j++) sum -= beta[j] * f[j];
    return sum;
  }
}
