package lovelace.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.forecast.Bands;
import lovelace.forecast.Forecast;
import lovelace.forecast.StoredSeries;

/// Computes the answer to an inference request about forecasts. A row is an id and a step after the
/// last value of its series, or an id and all steps of a horizon.
final class ForecastInference {

  /// The inputs that a request may have.
  static final List<String> INPUTS = List.of("id", "step", "horizon");

  private static final String TIME = "time";
  private static final String QUANTILES = "quantiles";

  /// The parameters that have a meaning here.
  private static final List<String> PARAMETERS =
      List.of("quantiles", "timeout", "binary_data_output");

  private static final List<String> OTHERS =
      List.of("interval", "draws", "seed", "noise", "of", "unseen");

  /// About how many bytes a step of a forecast takes while it is made.
  private static final long STEP = 3_000;

  private final Served.Version version;
  private final ForecastContent content;
  private final InferRequest request;
  private final List<InferRequest.Output> outputs;
  private final List<StoredSeries> series;
  private final int[] steps; // after the last value, by row; none if a row is all steps
  private final int horizon;

  /// Takes a request about forecasts, of at most `most` rows.
  ForecastInference(
      Served.Version version, ForecastContent content, InferRequest request, int most) {
    this.version = version;
    this.content = content;
    this.request = request;
    for (String name : request.parameters)
      if (OTHERS.contains(name))
        throw Refusal.wrong(
            "parameter '%s' has no meaning for forecasts; there are %s",
            name, String.join(", ", PARAMETERS));
    outputs = outputs(request);
    ForecastInputs inputs = new ForecastInputs(content, request, INPUTS, most);
    int longest = content.model().options().horizon();
    int[] asked = inputs.counts("horizon", longest);
    int[] own = inputs.counts("step", longest);
    if (asked != null && own != null)
      throw Refusal.wrong(
          "'step' asks for one step a row, and 'horizon' for all steps; leave one of them out");
    if (asked != null && asked.length != 1)
      throw Refusal.wrong("'horizon' must hold one number, got %,d", asked.length);
    List<StoredSeries> named = inputs.series();
    steps = own == null ? new int[0] : own;
    horizon = asked == null ? longest : asked[0];
    series = own != null && named.size() == 1 ? repeated(named.getFirst(), own.length) : named;
    if (own != null && own.length != series.size())
      throw Refusal.wrong(
          "input 'id' has %,d rows and 'step' %,d; send one step for each id",
          series.size(), own.length);
    if ((long) series.size() * width() > most)
      throw new Refusal(
          413,
          String.format(
              Locale.ROOT,
              "%,d series times %,d steps are more than %,d rows; send them in parts",
              series.size(),
              width(),
              most));
  }

  private static List<StoredSeries> repeated(StoredSeries series, int times) {
    return java.util.Collections.nCopies(times, series);
  }

  /// The outputs in the order of the metadata.
  static List<String> names() {
    List<String> names = new ArrayList<>(List.of(TIME));
    names.addAll(Bands.DEFAULT.names());
    names.add(QUANTILES);
    return names;
  }

  private static List<InferRequest.Output> outputs(InferRequest request) {
    List<String> names = names();
    List<InferRequest.Output> wanted = request.outputs;
    if (wanted == null || wanted.isEmpty())
      return names.stream()
          .filter(name -> !name.equals(QUANTILES) || request.quantiles.length > 0)
          .map(name -> new InferRequest.Output(name, null))
          .toList();
    List<String> seen = new ArrayList<>();
    for (InferRequest.Output output : wanted) {
      if (!names.contains(output.name()))
        throw Refusal.wrong(
            "unknown output '%s'; there are %s; other levels have the address 'forecast', or the parameter 'quantiles'",
            output.name(), String.join(", ", names));
      if (output.name().equals(QUANTILES) && request.quantiles.length == 0)
        throw Refusal.wrong(
            "output 'quantiles' needs the parameter 'quantiles'; send it, for example [0.1, 0.5, 0.9]");
      if (seen.contains(output.name()))
        throw Refusal.wrong("output '%s' is asked for twice", output.name());
      seen.add(output.name());
    }
    return wanted;
  }

  /// The number of steps of a row.
  private int width() {
    return steps.length > 0 ? 1 : horizon;
  }

  /// Whether the pool should compute this request.
  boolean isLong() {
    return (long) series.size() * width() > 64 || !content.has(series);
  }

  /// Reserves the memory that forecasts of series need while they are made.
  static void reserve(
      ForecastContent content, List<StoredSeries> series, int threads, Gate.Pass pass) {
    int horizon = content.model().options().horizon();
    int longest = 0;
    for (StoredSeries each : series) longest = Math.max(longest, each.values().size());
    long rows = Math.min(longest, content.model().window()) + (long) horizon;
    pass.reserve(8 * rows * rows * threads + series.size() * (STEP * horizon + 8L * longest));
  }

  /// Computes the whole answer. Refuses if it is not ready by `end`, a time of [System#nanoTime].
  InferAnswer answer(int threads, Gate.Pass pass, long end) {
    return Inference.within(end, () -> computed(threads, pass));
  }

  private InferAnswer computed(int threads, Gate.Pass pass) {
    if (!content.has(series)) reserve(content, series, threads, pass);
    int rows = series.size() * width();
    pass.reserve(rows * (16L * outputs.size() + 16L * request.quantiles.length + 64));
    List<Forecast> forecasts = content.forecast(series);
    Map<String, double[]> numbers = new LinkedHashMap<>();
    for (String name : Bands.DEFAULT.names()) numbers.put(name, new double[rows]);
    int q = request.quantiles.length;
    double[] quantiles = new double[rows * q];
    List<String> times = new ArrayList<>();
    double[] sorted = java.util.Arrays.stream(request.quantiles).distinct().sorted().toArray();
    for (int i = 0; i < series.size(); i++)
      for (int k = 0; k < width(); k++) {
        int row = i * width() + k;
        int step = steps.length > 0 ? steps[i] - 1 : k;
        Forecast forecast = forecasts.get(i);
        double[] at = Bands.DEFAULT.at(forecast, step);
        int next = 0;
        for (double[] column : numbers.values()) column[row] = at[next++];
        times.add(content.time(series.get(i), step));
        if (q == 0) continue;
        double[] found = forecast.quantiles(step, sorted);
        for (int j = 0; j < q; j++)
          quantiles[row * q + j] =
              found[java.util.Arrays.binarySearch(sorted, request.quantiles[j])];
      }
    List<InferAnswer.Output> all = new ArrayList<>();
    for (InferRequest.Output output : outputs) {
      boolean binary = request.binary(output);
      double[] values = numbers.get(output.name());
      all.add(
          output.name().equals(TIME)
              ? new InferAnswer.Texts(TIME, shape(0), times, binary)
              : values != null
                  ? new InferAnswer.Numbers(output.name(), shape(0), values, false, binary)
                  : new InferAnswer.Numbers(QUANTILES, shape(q), quantiles, false, binary));
    }
    return InferAnswer.of(version, request, all, rows);
  }

  private int[] shape(int last) {
    if (steps.length > 0)
      return last == 0 ? new int[] {series.size()} : new int[] {series.size(), last};
    return last == 0
        ? new int[] {series.size(), horizon}
        : new int[] {series.size(), horizon, last};
  }
}
