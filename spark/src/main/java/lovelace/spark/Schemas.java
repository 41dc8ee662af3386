package lovelace.spark;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Outside;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.functions;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// Finds the inputs in a data set, and reports what is wrong with its columns.
final class Schemas {

  /// The most words of an input of text.
  private static final int MOST_WORDS = 50;

  private final String features;
  private final String @Nullable [] inputs;

  private Schemas(String features, String @Nullable [] inputs) {
    this.features = features;
    this.inputs = inputs;
  }

  static Schemas of(LovelaceParams<?> params) {
    return new Schemas(
        params.getFeaturesCol(),
        params.isDefined(params.inputCols()) ? params.getInputCols() : null);
  }

  static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /// Arrays of numbers as rows of a data set.
  static Encoder<double[]> arrays(Dataset<?> data) {
    return data.sparkSession().implicits().newDoubleArrayEncoder();
  }

  /// The numbers of a column; NaN for a missing value.
  static org.apache.spark.sql.Column number(Dataset<?> data, String name) {
    return coalesce(data.col(quoted(name)).cast("double"), lit(Double.NaN));
  }

  /// The numbers of an input column: words as their codes, NaN for a missing value.
  static org.apache.spark.sql.Column number(Dataset<?> data, String name, Column column) {
    if (!column.isText()) return number(data, name);
    org.apache.spark.sql.Column text = data.col(quoted(name)).cast("string");
    org.apache.spark.sql.Column code = when(text.isNull(), lit(Double.NaN));
    for (int i = 0; i < column.values().size(); i++)
      code = code.when(text.equalTo(column.values().get(i)), lit((double) i));
    return code.otherwise(lit(Column.UNSEEN));
  }

  void requireInputs(StructType schema) {
    if (inputs != null) {
      for (String name : inputs) {
        DataType type = type(schema, name, "inputCols");
        if (!(type instanceof NumericType
            || type.equals(DataTypes.BooleanType)
            || type.equals(DataTypes.StringType)))
          throw new IllegalArgumentException(
              "inputCols: column '%s' is %s, neither a number nor text; cast it or choose another"
                  .formatted(name, type.simpleString()));
      }
      return;
    }
    DataType type = type(schema, features, "featuresCol");
    if (!type.equals(SQLDataTypes.VectorType()))
      throw new IllegalArgumentException(
          "featuresCol '%s' is %s, not a vector; assemble one, or name columns of numbers with setInputCols"
              .formatted(features, type.simpleString()));
  }

  static void requireNumber(StructType schema, String name, String param) {
    DataType type = type(schema, name, param);
    if (!(type instanceof NumericType))
      throw new IllegalArgumentException(
          "%s: column '%s' is %s, not a number; cast it or choose another"
              .formatted(param, name, type.simpleString()));
  }

  private static DataType type(StructType schema, String name, String param) {
    if (!List.of(schema.fieldNames()).contains(name))
      throw new IllegalArgumentException(
          "%s: there is no column '%s'; there are %s"
              .formatted(param, name, String.join(", ", schema.fieldNames())));
    return schema.apply(name).dataType();
  }

  static Outside outside(LovelaceParams<?> params) {
    return params.getOutside().equals("skip") ? Outside.SKIP : Outside.ERROR;
  }

  /// The schema with the columns that scoring adds.
  static StructType with(StructType schema, LovelaceParams<?> params) {
    DataType array = DataTypes.createArrayType(DataTypes.DoubleType, false);
    StructType all = with(schema, params, params.predictionCol(), DataTypes.DoubleType);
    all = with(all, params, params.varianceCol(), DataTypes.DoubleType);
    all = with(all, params, params.intervalCol(), array);
    all = with(all, params, params.drawsCol(), array);
    return with(all, params, params.outsideCol(), DataTypes.BooleanType);
  }

  private static StructType with(
      StructType schema, LovelaceParams<?> params, Param<String> param, DataType type) {
    if (!params.isDefined(param)) return schema;
    String name = params.getOrDefault(param);
    if (List.of(schema.fieldNames()).contains(name))
      throw new IllegalArgumentException(
          "%s: there is a column '%s' already; rename one".formatted(param.name(), name));
    return schema.add(name, type, true);
  }

  /// The words of every input column, in their order; none for a column of numbers.
  String[][] words(Dataset<?> data) {
    if (inputs == null) return new String[0][];
    return Arrays.stream(inputs).map(name -> words(data, name)).toArray(String[][]::new);
  }

  private static String[] words(Dataset<?> data, String name) {
    if (!data.schema().apply(name).dataType().equals(DataTypes.StringType)) return new String[0];
    org.apache.spark.sql.Column column = data.col(quoted(name));
    List<Row> found =
        data.toDF()
            .select(column)
            .filter(column.isNotNull())
            .distinct()
            .limit(MOST_WORDS + 1)
            .collectAsList();
    if (found.isEmpty() || found.size() > MOST_WORDS)
      throw new IllegalArgumentException(
          "inputCols: column '%s' holds text with %s; an input of text has 1 to %s different words; choose another column, or replace rare words by one common word"
              .formatted(
                  name,
                  found.isEmpty() ? "no value" : "more than " + MOST_WORDS + " different values",
                  MOST_WORDS));
    return found.stream().map(row -> row.getString(0)).sorted().toArray(String[]::new);
  }

  /// The words that a model knows of every input column.
  String[][] words(Model model) {
    if (inputs == null) return new String[0][];
    return known(model).stream()
        .map(column -> column.values().toArray(String[]::new))
        .toArray(String[][]::new);
  }

  /// The columns of a model for the inputs, including those that it leaves out.
  private List<Column> known(Model model) {
    List<Column> all = new ArrayList<>(model.columns());
    model.leftOut().forEach(out -> all.add(out.column()));
    return Arrays.stream(inputs == null ? new String[0] : inputs)
        .map(
            name ->
                all.stream()
                    .filter(column -> column.name().equals(name))
                    .findFirst()
                    .orElse(Column.of(name)))
        .toList();
  }

  /// The layout of the rows to learn from.
  ///
  /// @param words of the input columns
  RowShape shape(Dataset<?> data, LovelaceParams<?> params, String[][] words) {
    String label = params.getLabelCol();
    String weight = params.isDefined(params.weightCol()) ? params.getWeightCol() : null;
    boolean error = params.getHandleInvalid().equals("error");
    String[] names = inputs != null ? inputs : names(data);
    double[] fills = new double[names.length];
    Arrays.fill(fills, Double.NaN);
    return new RowShape(
        names,
        features,
        inputs == null,
        label,
        weight,
        error,
        inputs != null ? words : new String[names.length][0],
        fills);
  }

  /// The layout of further rows for a model.
  RowShape shape(Dataset<?> data, LovelaceParams<?> params, Model model) {
    RowShape shape = shape(data, params, words(model));
    if (inputs == null) return shape;
    return shape.filledBy(
        known(model).stream().mapToDouble(column -> column.fill().orElse(Double.NaN)).toArray());
  }

  /// The names of the inputs in a vector.
  private String[] names(Dataset<?> data) {
    int size = AttributeGroup.fromStructField(data.schema().apply(features)).size();
    if (size < 0) {
      org.apache.spark.sql.Column vectors = data.col(quoted(features));
      List<Row> first = data.toDF().select(vectors).filter(vectors.isNotNull()).takeAsList(1);
      if (first.isEmpty())
        throw new IllegalArgumentException(
            "featuresCol '%s' holds no vector; check filters and missing values"
                .formatted(features));
      size = ((Vector) first.getFirst().get(0)).size();
    }
    return size == 1
        ? new String[] {features}
        : IntStream.range(0, size).mapToObj(j -> features + "_" + j).toArray(String[]::new);
  }

  /// The inputs of a model as one array, null if the vector is null, with the size of the
  /// observation at the end if there is one.
  org.apache.spark.sql.Column row(Dataset<?> data, Model model, @Nullable String size) {
    if (inputs == null) {
      org.apache.spark.sql.Column vector =
          functions.vector_to_array(data.col(quoted(features)), "float64");
      return size == null ? vector : concat(vector, array(number(data, size)));
    }
    List<String> names = inputs(model);
    List<org.apache.spark.sql.Column> values = new ArrayList<>();
    for (int j = 0; j < names.size(); j++) {
      Column column = model.columns().get(j);
      DataType type = data.schema().apply(names.get(j)).dataType();
      if (!column.isText() && type.equals(DataTypes.StringType))
        throw new IllegalArgumentException(
            "inputCols: column '%s' is text, the model learned from numbers; cast it"
                .formatted(names.get(j)));
      values.add(number(data, names.get(j), column));
    }
    if (size != null) values.add(number(data, size));
    return array(values.toArray(org.apache.spark.sql.Column[]::new));
  }

  /// The data's columns for those of a model, in the model's order. They are matched by name if the
  /// names agree, otherwise by position. Columns that the model leaves out may be listed or not.
  private List<String> inputs(Model model) {
    List<String> columns = model.columns().stream().map(Column::name).toList();
    Set<String> left =
        Set.copyOf(model.leftOut().stream().map(out -> out.column().name()).toList());
    List<String> listed =
        Arrays.stream(inputs == null ? new String[0] : inputs)
            .filter(name -> !left.contains(name))
            .toList();
    if (listed.size() != columns.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the model has %d inputs, %s; inputCols lists %d, %s",
              columns.size(),
              columns,
              listed.size(),
              listed));
    return listed.containsAll(columns) ? columns : listed;
  }
}
