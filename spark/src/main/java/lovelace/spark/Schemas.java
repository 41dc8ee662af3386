package lovelace.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// Where inputs stand in a data set, and what is wrong with its columns.
final class Schemas {

  /// The most words of an input of text.
  private static final int MOST_WORDS = 50;

  private final String features;
  private final String @Nullable [] inputs;

  Schemas(String features, String @Nullable [] inputs) {
    this.features = features;
    this.inputs = inputs;
    if (inputs != null && inputs.length == 0)
      throw new IllegalArgumentException("inputCols is empty; name at least one column");
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

  static boolean isSkip(String param, String value) {
    return switch (value) {
      case "skip" -> true;
      case "error" -> false;
      default ->
          throw new IllegalArgumentException(
              "%s must be error or skip, got '%s'".formatted(param, value));
    };
  }

  /// The schema with the columns that scoring adds; null for one that is not wanted.
  static StructType with(
      StructType schema,
      String prediction,
      @Nullable String variance,
      @Nullable String interval,
      @Nullable String draws) {
    StructType all = schema;
    DataType array = DataTypes.createArrayType(DataTypes.DoubleType, false);
    all = with(all, prediction, DataTypes.DoubleType);
    if (variance != null) all = with(all, variance, DataTypes.DoubleType);
    if (interval != null) all = with(all, interval, array);
    if (draws != null) all = with(all, draws, array);
    return all;
  }

  private static StructType with(StructType schema, String name, DataType type) {
    if (List.of(schema.fieldNames()).contains(name))
      throw new IllegalArgumentException(
          "there is a column '%s' already, which the result adds; rename one".formatted(name));
    return schema.add(name, type, true);
  }

  /// The words of every input column, in their order; none of one that holds numbers.
  String[][] words(Dataset<?> data) {
    if (inputs == null) return new String[0][];
    return Arrays.stream(inputs).map(name -> words(data, name)).toArray(String[][]::new);
  }

  private static String[] words(Dataset<?> data, String name) {
    if (!data.schema().apply(name).dataType().equals(DataTypes.StringType)) return new String[0];
    org.apache.spark.sql.Column column = data.col(SparkSource.quoted(name));
    List<Row> found =
        data.toDF()
            .select(column)
            .filter(column.isNotNull())
            .distinct()
            .limit(MOST_WORDS + 1)
            .collectAsList();
    if (found.isEmpty() || found.size() > MOST_WORDS)
      throw new IllegalArgumentException(
          "inputCols: column '%s' holds text with %s; an input of text has 1 to %s words, choose another or write one word for several"
              .formatted(
                  name,
                  found.isEmpty() ? "no value" : "more than " + MOST_WORDS + " different values",
                  MOST_WORDS));
    return found.stream().map(row -> row.getString(0)).sorted().toArray(String[]::new);
  }

  /// The words that a model knows of every input column.
  String[][] words(Model model) {
    if (inputs == null) return new String[0][];
    List<Column> known = new ArrayList<>(model.columns());
    model.leftOut().forEach(out -> known.add(out.column()));
    return Arrays.stream(inputs)
        .map(
            name ->
                known.stream()
                    .filter(column -> column.name().equals(name))
                    .flatMap(column -> column.values().stream())
                    .toArray(String[]::new))
        .toArray(String[][]::new);
  }

  /// Fails where the model's inputs are numbers and the data's are text.
  void requireKinds(StructType schema, Model model) {
    if (inputs == null) return;
    for (Column column : model.columns())
      if (!column.isText()
          && List.of(inputs).contains(column.name())
          && schema.apply(column.name()).dataType().equals(DataTypes.StringType))
        throw new IllegalArgumentException(
            "inputCols: column '%s' is text, the model learned from numbers; cast it"
                .formatted(column.name()));
  }

  /// What the rows to learn from look like.
  ///
  /// @param words of the input columns
  RowShape shape(Dataset<?> data, String label, boolean weighted, boolean skip, String[][] words) {
    if (inputs != null) return new RowShape(inputs, features, false, label, weighted, skip, words);
    int size = AttributeGroup.fromStructField(data.schema().apply(features)).size();
    if (size < 0) {
      List<Row> first =
          data.toDF()
              .select(data.col(SparkSource.quoted(features)))
              .filter(data.col(SparkSource.quoted(features)).isNotNull())
              .takeAsList(1);
      if (first.isEmpty())
        throw new IllegalArgumentException(
            "featuresCol '%s' holds no vector; check filters and missing values"
                .formatted(features));
      size = ((Vector) first.getFirst().get(0)).size();
    }
    int d = size;
    String[] names =
        d == 1
            ? new String[] {features}
            : IntStream.range(0, d).mapToObj(j -> features + "_" + j).toArray(String[]::new);
    return new RowShape(names, features, true, label, weighted, skip, new String[d][0]);
  }

  /// The places of a model's inputs in a row; one place of a vector is written −1 − place. Columns
  /// that the model leaves out may be named or not.
  int[] places(StructType schema, Model model) {
    if (inputs == null) return new int[] {-1 - schema.fieldIndex(features)};
    List<String> left = model.leftOut().stream().map(out -> out.column().name()).toList();
    List<String> names = Arrays.stream(inputs).filter(name -> !left.contains(name)).toList();
    if (names.size() != model.columns().size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the model has %d inputs, inputCols names %d",
              model.columns().size(),
              names.size()));
    return names.stream().mapToInt(schema::fieldIndex).toArray();
  }
}
