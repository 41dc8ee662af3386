package lovelace.spark;

import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import lovelace.forecast.PlacedRows;
import lovelace.forecast.StoredTable;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Inference;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.DoubleArrayParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/// Learns to forecast the series of a data set, which has a row for each series and time. One pass
/// brings at most 2,000 series to the driver, which learns from them; the model then forecasts all
/// series where they are.
///
/// ```java
/// LovelaceForecastModel model = new LovelaceForecaster().setHorizon(12).fit(sales);
/// Dataset<Row> next = model.transform(sales);
/// ```
public final class LovelaceForecaster extends Estimator<LovelaceForecastModel>
    implements ForecastParams<LovelaceForecaster>, DefaultParamsWritable {

  private static final long serialVersionUID = 1;

  /// From how many series weights are learned, at most, and how many of them tell the frequency.
  private static final int LEARNING = 2_000;

  private static final int VOTERS = 300;

  private final String uid;
  private final SharedForecastParams shared;
  private final IntParam horizon;
  private final Param<String> frequency;
  private final DoubleArrayParam seasons;
  private final Param<String> gaps;
  private final DoubleArrayParam between;

  public LovelaceForecaster() {
    this(Identifiable$.MODULE$.randomUID("lovelace"));
  }

  /// The constructor that Spark uses to copy or load one.
  public LovelaceForecaster(String uid) {
    this.uid = uid;
    shared = new SharedForecastParams(this);
    horizon =
        new IntParam(
            this, "horizon", "the number of steps to forecast", Rule.between("horizon", 0, 10_001));
    frequency =
        new Param<>(
            this,
            "frequency",
            "the steps of the series, such as M, W, D or 15min; found from the times unless set",
            Rule.text("frequency", Frequency::parse));
    seasons =
        new DoubleArrayParam(
            this,
            "seasons",
            "the periods of the seasons to try, in steps; the usual ones of the frequency unless set",
            new Rule<>(
                "seasons",
                "be at least 2",
                (Rule.Check<double[]>)
                    periods -> {
                      Forecaster.DEFAULT.withSeasons(periods);
                      return true;
                    }));
    gaps =
        new Param<>(
            this,
            "gaps",
            "the meaning of a step without a value: missing or zero",
            Rule.oneOf("gaps", "missing", "zero"));
    between =
        new DoubleArrayParam(
            this,
            "between",
            "the smallest and the largest value, which no forecast exceeds",
            new Rule<>(
                "between",
                "be two numbers, low < high",
                (Rule.Check<double[]>)
                    ends -> ends.length == 2 && ends[0] < ends[1] && ends[1] - ends[0] < 1e300));
    shared.setDefaults(this);
    setDefault(horizon, 1);
    setDefault(gaps, "missing");
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
  public LovelaceForecaster self() {
    return this;
  }

  /// The number of steps to forecast, 1 to 10,000.
  public IntParam horizon() {
    return horizon;
  }

  public int getHorizon() {
    return (int) getOrDefault(horizon);
  }

  public LovelaceForecaster setHorizon(int value) {
    return (LovelaceForecaster) set(horizon, value);
  }

  /// The steps of the series, such as `M` or `15min`; found from the times unless set.
  public Param<String> frequency() {
    return frequency;
  }

  public String getFrequency() {
    return getOrDefault(frequency);
  }

  public LovelaceForecaster setFrequency(String value) {
    return (LovelaceForecaster) set(frequency, value);
  }

  /// The periods of the seasons to try, in steps; the usual ones of the frequency unless set.
  public DoubleArrayParam seasons() {
    return seasons;
  }

  public double[] getSeasons() {
    return getOrDefault(seasons);
  }

  public LovelaceForecaster setSeasons(double[] value) {
    return (LovelaceForecaster) set(seasons, value);
  }

  /// The meaning of a step without a value: `missing` or `zero`.
  public Param<String> gaps() {
    return gaps;
  }

  public String getGaps() {
    return getOrDefault(gaps);
  }

  public LovelaceForecaster setGaps(String value) {
    return (LovelaceForecaster) set(gaps, value);
  }

  /// The smallest and the largest value, which no forecast exceeds.
  public DoubleArrayParam between() {
    return between;
  }

  public double[] getBetween() {
    return getOrDefault(between);
  }

  public LovelaceForecaster setBetween(double[] value) {
    return (LovelaceForecaster) set(between, value);
  }

  @Override
  public StructType transformSchema(StructType schema) {
    SeriesFrame.require(schema, this);
    return LovelaceForecastModel.schema(schema, this);
  }

  @Override
  public LovelaceForecastModel fit(Dataset<?> data) {
    SeriesFrame.require(data.schema(), this);
    int ids = getIdCols().length;
    List<Row> sample = SeriesFrame.sample(SeriesFrame.of(data, this), this, LEARNING);
    if (sample.isEmpty())
      throw new IllegalArgumentException("the data set has no rows; a fit needs some");
    List<String> texts =
        sample.stream().flatMap(row -> SeriesFrame.times(row, ids).stream()).distinct().toList();
    TimeForm form = TimeForm.read("the data set", getTimeCol(), texts).form();
    List<List<Moment>> voters =
        sample.stream()
            .limit(VOTERS)
            .sorted(order(ids))
            .map(row -> moments(row, ids, form))
            .toList();
    Frequency steps = steps(voters, form);
    Forecaster options = options(voters, steps);
    List<TimeSeries> series =
        sample.stream()
            .sorted(order(ids))
            .map(
                row ->
                    PlacedRows.of(
                            SeriesFrame.name(row, ids),
                            SeriesFrame.read(row, ids, form),
                            steps,
                            form,
                            options.bounds())
                        .values())
            .toList();
    ForecastModel model = options.learn(series);
    StoredTable table =
        new StoredTable(
            List.of(getIdCols()),
            Collections.nCopies(ids, "VARCHAR"),
            getTimeCol(),
            "VARCHAR",
            getTargetCol(),
            form,
            steps);
    LovelaceForecastModel fitted =
        new LovelaceForecastModel(uid, ShippedForecaster.of(model, table));
    return copyValues(fitted, ParamMap.empty()).setParent(this);
  }

  private Forecaster options(List<List<Moment>> voters, Frequency steps) {
    long longest =
        voters.stream()
            .filter(each -> !each.isEmpty())
            .mapToLong(each -> steps.floor(each.getLast()) - steps.floor(each.getFirst()) + 1)
            .max()
            .orElse(0);
    Forecaster options =
        Forecaster.DEFAULT
            .withHorizon(getHorizon())
            .withGaps(getGaps().equals("zero") ? Forecaster.Gaps.ZERO : Forecaster.Gaps.MISSING)
            .withSeasons(isDefined(seasons) ? getSeasons() : steps.seasons(Math.max(0, longest)));
    return isDefined(between) ? options.withBounds(getBetween()[0], getBetween()[1]) : options;
  }

  private static List<Moment> moments(Row row, int ids, TimeForm form) {
    return SeriesFrame.read(row, ids, form).stream()
        .map(PlacedRows.Value::moment)
        .sorted()
        .toList();
  }

  /// Orders series by their ids, as the command does. Nulls are last.
  private static Comparator<Row> order(int ids) {
    Comparator<Object> one = Comparator.nullsLast(LovelaceForecaster::compare);
    return (first, second) -> {
      int order = 0;
      for (int i = 0; i < ids && order == 0; i++) order = one.compare(first.get(i), second.get(i));
      return order;
    };
  }

  @SuppressWarnings("unchecked") // values of one column have one type
  private static int compare(Object a, Object b) {
    return a instanceof Comparable<?> one
        ? ((Comparable<Object>) one).compareTo(b)
        : a.toString().compareTo(b.toString());
  }

  private Frequency steps(List<List<Moment>> voters, TimeForm form) {
    if (!isDefined(frequency)) {
      Inference.OfMany found = Frequency.inferMany(voters, form);
      return found
          .frequency()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "timeCol: column '%s': %s; name the frequency with setFrequency"
                          .formatted(getTimeCol(), found.reason())));
    }
    Frequency named = Frequency.parse(getFrequency());
    List<Inference> all = voters.stream().map(each -> named.onto(each, form)).toList();
    Map<Frequency, Long> found =
        all.stream()
            .map(Inference::frequency)
            .flatMap(Optional::stream)
            .collect(Collectors.groupingBy(f -> f, LinkedHashMap::new, Collectors.counting()));
    return found.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "frequency: no series has steps of %s: %s; set another, or clear it to find it"
                        .formatted(named.text(), all.getFirst().reason())));
  }

  @Override
  public LovelaceForecaster copy(ParamMap extra) {
    return (LovelaceForecaster) defaultCopy(extra);
  }

  public static LovelaceForecaster load(String path) throws IOException {
    return read().load(path);
  }

  /// The reader with which Spark loads a saved estimator.
  public static MLReader<LovelaceForecaster> read() {
    return new DefaultParamsReader<>();
  }
}
