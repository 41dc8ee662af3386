package lovelace.spark;

import static org.apache.spark.sql.functions.col;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import lovelace.forecast.Bands;
import lovelace.forecast.ForecastFile;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.StoredTable;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsReader$;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/// Forecasts the series of a data set by what [LovelaceForecaster] learned. The rows of a series
/// are brought together, and each task forecasts its series. Series may be others than those that
/// were learned from.
public final class LovelaceForecastModel extends org.apache.spark.ml.Model<LovelaceForecastModel>
    implements ForecastParams<LovelaceForecastModel>, MLWritable {

  private static final long serialVersionUID = 1;
  private static final String FILE = "forecasts.lvf";

  private final String uid;
  private final ShippedForecaster shipped;
  private final SharedForecastParams shared;

  LovelaceForecastModel(String uid, ShippedForecaster shipped) {
    this.uid = uid;
    this.shipped = shipped;
    shared = new SharedForecastParams(this);
    shared.setDefaults(this);
  }

  /// The model of a file that `lovelace forecast --model` wrote, with the columns of its table. The
  /// series of the file are not used.
  public static LovelaceForecastModel of(java.nio.file.Path file) throws IOException {
    ForecastFile read = ForecastFile.open(file);
    StoredTable table = read.table();
    return new LovelaceForecastModel(
            "lovelace_" + file.getFileName(), ShippedForecaster.of(read.model(), table))
        .setIdCols(table.ids().toArray(new String[0]))
        .setTimeCol(table.time())
        .setTargetCol(table.target());
  }

  @Override
  public String uid() {
    return uid;
  }

  @Override
  public SharedForecastParams shared() {
    return shared;
  }

  @Override
  public LovelaceForecastModel self() {
    return this;
  }

  /// The model itself.
  public ForecastModel model() {
    return shipped.read().model();
  }

  /// The columns of the forecasts of a data set.
  static StructType schema(StructType schema, ForecastParams<?> params) {
    StructType all = new StructType();
    for (String id : params.getIdCols()) all = all.add(schema.apply(id));
    all = all.add(schema.apply(params.getTimeCol()));
    for (String name : Bands.of(params.getLevels()).names())
      all = all.add(name, DataTypes.DoubleType, true);
    return all;
  }

  @Override
  public StructType transformSchema(StructType schema) {
    SeriesFrame.require(schema, this);
    return schema(schema, this);
  }

  /// The forecasts of the series after their last values: their ids, the time, `median`, `mean`,
  /// and the ends of the intervals. A series without values has none; see [#report].
  @Override
  public Dataset<Row> transform(Dataset<?> data) {
    StructType result = transformSchema(data.schema());
    ForecastScoring scoring = scoring(data);
    StructType made = new StructType();
    for (int i = 0; i < result.length(); i++)
      made =
          i == getIdCols().length
              ? made.add(result.apply(i).name(), DataTypes.StringType, true)
              : made.add(result.apply(i));
    String time = Schemas.quoted(getTimeCol());
    Dataset<Row> rows =
        SeriesFrame.of(data, this).mapPartitions(scoring.forecasts(), Encoders.row(made));
    Column[] columns =
        Stream.of(result.fields())
            .map(
                field ->
                    field.name().equals(getTimeCol())
                        ? col(time).cast(field.dataType()).as(field.name())
                        : col(Schemas.quoted(field.name())))
            .toArray(Column[]::new);
    return rows.select(columns);
  }

  /// How the rows of each series were understood: its ids, the numbers of `values`, of `gaps` and
  /// of `duplicates`, and `remarks`, which also say why a series has no forecast.
  public Dataset<Row> report(Dataset<?> data) {
    SeriesFrame.require(data.schema(), this);
    StructType made = new StructType();
    for (String id : getIdCols()) made = made.add(data.schema().apply(id));
    for (String name : List.of("values", "gaps", "duplicates"))
      made = made.add(name, DataTypes.IntegerType, false);
    made = made.add("remarks", DataTypes.StringType, false);
    return SeriesFrame.of(data, this).mapPartitions(scoring(data).report(), Encoders.row(made));
  }

  private ForecastScoring scoring(Dataset<?> data) {
    return new ForecastScoring(
        JavaSparkContext.fromSparkContext(data.sparkSession().sparkContext()).broadcast(shipped),
        getIdCols().length,
        getLevels());
  }

  @Override
  public LovelaceForecastModel copy(ParamMap extra) {
    LovelaceForecastModel copied = copyValues(new LovelaceForecastModel(uid, shipped), extra);
    return hasParent() ? copied.setParent(parent()) : copied;
  }

  /// Writes Spark's metadata, and beside it `forecasts.lvf`, a file of forecasts without series.
  @Override
  public MLWriter write() {
    return new Writer(this);
  }

  public static LovelaceForecastModel load(String path) {
    return read().load(path);
  }

  /// The reader with which Spark loads a saved model.
  public static MLReader<LovelaceForecastModel> read() {
    return new Reader();
  }

  private static final class Writer extends MLWriter {
    private final LovelaceForecastModel model;

    Writer(LovelaceForecastModel model) {
      this.model = model;
    }

    @Override
    public void saveImpl(String path) {
      DefaultParamsWriter.saveMetadata(model, path, sparkSession());
      try {
        ModelStore.write(new Path(path, FILE), model.shipped.bytes(), sparkSession());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Reader extends MLReader<LovelaceForecastModel> {

    @Override
    public LovelaceForecastModel load(String path) {
      DefaultParamsReader.Metadata metadata =
          DefaultParamsReader$.MODULE$.loadMetadata(
              path, sparkSession(), LovelaceForecastModel.class.getName());
      Path file = new Path(path, FILE);
      try (var in = ModelStore.files(file, sparkSession()).open(file)) {
        LovelaceForecastModel model =
            new LovelaceForecastModel(metadata.uid(), ShippedForecaster.of(in.readAllBytes()));
        metadata.getAndSetParams(model, metadata.getAndSetParams$default$2());
        return model;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
