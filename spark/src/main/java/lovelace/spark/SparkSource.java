package lovelace.spark;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.concat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lovelace.data.Column;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.Grid;
import lovelace.source.Source;
import lovelace.source.Sums;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.functions;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;

/// The rows of a Spark data set as observations. Sums are made in the partitions and joined by
/// treeAggregate. The result of a task is a value, so a repeated task counts once.
final class SparkSource implements Source {

  private final Dataset<?> data;
  private final Dataset<double[]> rows;
  private final RowShape shape;
  private final int depth;
  private final double @Nullable [] bounds; // low and high of every column, one after another

  SparkSource(Dataset<?> data, RowShape shape, int depth, double @Nullable [] bounds) {
    this.data = data;
    this.shape = shape;
    this.depth = depth;
    this.bounds = bounds;
    List<org.apache.spark.sql.Column> wanted = new ArrayList<>();
    if (!shape.vector())
      for (Column column : shape.columns()) wanted.add(Schemas.number(data, column.name(), column));
    wanted.add(Schemas.number(data, shape.label()));
    String weight = shape.weight();
    if (weight != null) wanted.add(Schemas.number(data, weight));
    org.apache.spark.sql.Column row = array(wanted.toArray(org.apache.spark.sql.Column[]::new));
    if (shape.vector()) {
      org.apache.spark.sql.Column vector =
          functions.vector_to_array(data.col(Schemas.quoted(shape.features())), "float64");
      row = concat(coalesce(vector, array().cast("array<double>")), row);
    }
    rows = data.toDF().select(row.as("row")).as(Schemas.arrays(data));
  }

  private JavaRDD<double[]> rdd() {
    return rows.javaRDD();
  }

  @Override
  public List<Column> columns() {
    return shape.columns();
  }

  @Override
  public Column target() {
    return Column.of(shape.label());
  }

  @Override
  public SparkSource keeping(int... places) {
    double[] own = bounds;
    double[] some = own == null ? null : new double[2 * places.length];
    for (int j = 0; own != null && some != null && j < places.length; j++)
      System.arraycopy(own, 2 * places[j], some, 2 * j, 2);
    return new SparkSource(data, shape.keeping(places), depth, some);
  }

  /// Runs one job for ranges and a random choice of rows. It is not needed if bounds are given and
  /// nothing is learned.
  @Override
  public Optional<Overview> overview(int most, long seed) {
    RowShape own = shape;
    int d = own.dimensions();
    if (bounds != null) {
      Glance one = Glance.of(new PartitionRows(own, 0, rows.takeAsList(1).iterator()), d, 1);
      return Optional.of(one.within(bounds).overview(own.weighted()));
    }
    JavaRDD<Glance> parts =
        rdd()
            .mapPartitionsWithIndex(
                (index, values) ->
                    List.of(Glance.of(new PartitionRows(own, index, values), d, most)).iterator(),
                true);
    Glance all =
        parts.treeAggregate(
            Glance.empty(d), (a, b) -> a.plus(b, most), (a, b) -> a.plus(b, most), depth);
    if (all.size() == 0)
      throw new IllegalArgumentException(
          "the data set has 0 rows, at least one observation is needed; check filters and missing values");
    return Optional.of(all.overview(own.weighted()));
  }

  @Override
  public Optional<Sums> sums(Grid grid, TargetTransform transform, Outside outside) {
    RowShape own = shape;
    String text = transform.text(); // goes to the workers
    Partial zero = new Partial(Sums.empty(grid));
    Sums all =
        rdd()
            .mapPartitionsWithIndex(
                (index, values) ->
                    List.of(
                            new Partial(
                                Sums.of(
                                    new PartitionRows(own, index, values),
                                    zero.grid(),
                                    TargetTransform.parse(text),
                                    outside)))
                        .iterator(),
                true)
            .treeAggregate(zero, Partial::plus, Partial::plus, depth)
            .sums();
    return Optional.of(all);
  }

  /// Fetches partition after partition to the driver, for work that only the driver can do: an
  /// exact model or a learned projection.
  @Override
  public void read(Sink sink) {
    new PartitionRows(shape, 0, rows.toLocalIterator()).read(sink);
  }
}
