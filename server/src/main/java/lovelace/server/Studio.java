package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Airline;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood;
import lovelace.optimize.Lbfgs;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;

/// Answers the requests of the studio's page, under `/studio/api`: uploaded tables, private copies
/// of models, searches. All of it is kept in memory, within limits, for half an hour after its last
/// use. Served models are read and never changed.
final class Studio implements HttpService {

  private static final Header NO_STORE = HeaderValues.createCached("Cache-Control", "no-store");
  private static final long LIFE = Duration.ofMinutes(30).toNanos();
  private static final int FITS = 2;
  private static final int MOST_INPUTS = 8;

  /// The most rows for which a model of more than one input is exact.
  private static final int EXACT = 600;

  private static final int POINTS_LINE = 1000;
  private static final int POINTS_PLANE = 40;

  private final Server server;
  private final Options.Maker maker;
  private final StudioShelf<StudioTable> tables;
  private final StudioShelf<StudioSession> sessions;
  private final StudioShelf<StudioSearch> searches;
  private final StudioSeries series;
  private final Map<String, StudioJob> jobs = new ConcurrentHashMap<>();
  private final Semaphore fits = new Semaphore(FITS);
  private final StudioPool work; // for work that a page waits for
  private final ForkJoinPool longPool; // for fits, so that they delay nothing else

  Studio(Server server) {
    this.server = server;
    maker = new Options.Maker(server.options().version(), "lovelace studio");
    long room = Runtime.getRuntime().maxMemory() / 8;
    tables = new StudioShelf<>("table", 16, room / 2, LIFE, System::nanoTime);
    sessions = new StudioShelf<>("copy of the model", 48, room, LIFE, System::nanoTime);
    searches = new StudioShelf<>("search", 24, room, LIFE, System::nanoTime);
    int threads = server.options().threads();
    int cores = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
    work = new StudioPool(cores, server);
    longPool = new ForkJoinPool(Math.max(cores, FITS));
    series = new StudioSeries(server, work, tables, this::stream, room, LIFE);
  }

  @Override
  public void routing(HttpRules rules) {
    series
        .addresses(new Addresses(rules))
        .get("/about", this::about)
        .get("/examples/airline.csv", this::airline)
        .post("/tables", this::table)
        .post("/sessions", this::open)
        .get("/sessions/{id}", this::state)
        .delete("/sessions/{id}", this::close)
        .post("/sessions/{id}/view", (q, r) -> change(q, r, (session, body) -> {}))
        .post("/sessions/{id}/observe", (q, r) -> change(q, r, Studio::observe))
        .post("/sessions/{id}/undo", (q, r) -> change(q, r, (session, body) -> session.undo()))
        .post("/sessions/{id}/reset", (q, r) -> change(q, r, (session, body) -> session.reset()))
        .post("/sessions/{id}/parameters", (q, r) -> change(q, r, Studio::parameters))
        .post("/sessions/{id}/learn", this::learn)
        .post("/sessions/{id}/checks", this::checks)
        .get("/sessions/{id}/model", this::download)
        .post("/jobs/{id}/cancel", this::cancel)
        .post("/searches", this::search)
        .post("/searches/{id}/step", this::step)
        .close();
  }

  /// About how many bytes of tables, copies and searches are kept for pages.
  long bytes() {
    return tables.bytes() + sessions.bytes() + searches.bytes() + series.bytes();
  }

  // ---- shared by all requests ----

  private static String id(ServerRequest request) {
    return request.path().pathParameters().get("id");
  }

  private JsonNode body(ServerRequest request, Gate.Pass pass) {
    return StudioBody.object(Body.read(request, pass, StudioBody.MOST), pass);
  }

  static void answer(ServerResponse response, long start, Map<String, Object> value) {
    value.put("milliseconds", (System.nanoTime() - start) / 1000 / 1e3);
    response.header(NO_STORE);
    Answers.json(response, 200, value);
  }

  // ---- models and tables ----

  private void about(ServerRequest request, ServerResponse response) {
    List<Object> models = new ArrayList<>();
    List<Object> forecasts = new ArrayList<>();
    for (String name : server.models().names())
      switch (server.models().require(name, null).content()) {
        case ModelContent(Model model) ->
            models.add(
                Answers.map(
                    "name", name,
                    "inputs", model.columns().stream().map(column -> column.label()).toList(),
                    "target", model.target().label(),
                    "observations", model.count(),
                    "drawn", model.map().isEmpty() && model.drift().isEmpty()));
        case ForecastContent content -> forecasts.add(StudioSeries.about(name, content));
      }
    response.header(NO_STORE);
    Answers.json(
        response,
        200,
        Answers.map(
            "version", server.options().version(), "models", models, "forecasts", forecasts));
  }

  private void airline(ServerRequest request, ServerResponse response) {
    Dataset data = Airline.dataset();
    List<String> months = Airline.months();
    StringBuilder text = new StringBuilder("month,passengers\n");
    for (int i = 0; i < months.size(); i++)
      text.append(months.get(i)).append(',').append(Math.round(data.target()[i])).append('\n');
    response.header(HeaderNames.CONTENT_TYPE, "text/csv; charset=utf-8");
    response.send(text.toString().getBytes(UTF_8));
  }

  private void table(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    try (Gate.Pass pass = server.gate().enter()) {
      ServerOptions.Limits limits = server.options().limits();
      byte[] bytes = Body.read(request, pass, limits.body());
      pass.reserve(4L * bytes.length); // its characters, and those being decoded
      Room room = Room.of(pass, limits.rows(), StudioTable.MOST_COLUMNS);
      StudioTable table = work.compute(() -> StudioTable.read(bytes, limits.rows(), room));
      Map<String, Object> about = table.about();
      about.put("id", tables.put(table, table.bytes()));
      answer(response, start, about);
    }
  }

  // ---- copies of models ----

  private void open(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    try (Gate.Pass pass = server.gate().enter()) {
      JsonNode body = body(request, pass);
      if (body.has("table")) {
        fit(response, body, pass);
        return;
      }
      if (!body.path("model").isTextual())
        throw Refusal.wrong("name a 'model' that is served, or a 'table' that was uploaded");
      String name = body.get("model").asText();
      Model model = server.models().require(name, null).model();
      answer(response, start, kept(new StudioSession(name, model, null, maker), body, pass));
    }
  }

  private Map<String, Object> kept(StudioSession session, JsonNode body, Gate.Pass pass) {
    String id = sessions.put(session, session.bytes());
    return seen(session, id, body, pass);
  }

  /// The state of a copy, with the view that the page asked for.
  private Map<String, Object> seen(
      StudioSession session, String id, JsonNode body, Gate.Pass pass) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("state", StudioFacts.of(id, session));
    if (body.has("view"))
      answer.put(
          "view", work.compute(() -> new StudioView(session, body.get("view")).answer(pass)));
    return answer;
  }

  private void fit(ServerResponse response, JsonNode body, Gate.Pass pass) {
    StudioTable table = tables.require(body.get("table").asText());
    String target = body.path("target").asText();
    List<String> inputs = new ArrayList<>();
    for (JsonNode input : body.path("inputs")) inputs.add(input.asText());
    if (inputs.isEmpty() || inputs.size() > MOST_INPUTS)
      throw Refusal.wrong("choose 1 to %d inputs, got %d", MOST_INPUTS, inputs.size());
    Likelihood likelihood =
        work.compute(() -> Likelihood.parse(body.path("likelihood").asText("gaussian")));
    String size = size(likelihood, body.path("size").asText(""));
    pass.reserve(16L * table.rows() * (inputs.size() + 2));
    Dataset rows = work.compute(() -> table.dataset(inputs, target, size));
    Fit fit = work.compute(() -> settings(body, likelihood, rows));
    String name = body.path("name").asText(target);
    stream(
        response,
        progress -> {
          Options.Learning learning = new Options.Learning(Lbfgs.DEFAULT, 1, 1, progress);
          Model model = fit.withLearning(learning).to(rows);
          Map<String, Object> answer =
              kept(new StudioSession(name, model, rows, maker), body, pass);
          answer.put("left out", table.rows() - rows.size());
          return answer;
        });
  }

  /// The column for the size of rows, which must suit the likelihood; empty for none.
  private static String size(Likelihood likelihood, String column) {
    Likelihood.Size size = likelihood.size();
    boolean needed = size == Likelihood.Size.TRIALS || size == Likelihood.Size.PRECISION;
    if (column.isEmpty() && needed)
      throw Refusal.wrong("likelihood %s needs a column of %s; choose it", likelihood, size);
    if (!column.isEmpty() && size == Likelihood.Size.NONE)
      throw Refusal.wrong(
          "likelihood %s takes no column of sizes, but '%s' was chosen; leave it out",
          likelihood, column);
    return column;
  }

  /// The settings of a fit. One input gets a fine grid. More inputs are exact if there are few
  /// rows; otherwise they get a grid that a page can wait for.
  private Fit settings(JsonNode body, Likelihood likelihood, Dataset rows) {
    String kernel = body.path("kernel").asText("rbf");
    Fit fit =
        Fit.DEFAULT
            .withKernel(kernel)
            .withLikelihood(likelihood)
            .withMaker(maker.version(), maker.command())
            .withTransform(
                body.path("log").asBoolean(false) ? TargetTransform.LOG : TargetTransform.NONE);
    int d = rows.dimensions();
    // models that hold their rows can be changed under any likelihood
    if (!likelihood.isGaussian()) return rows.size() <= EXACT ? fit.withEngine(Engine.EXACT) : fit;
    if (d == 1) return fit.withGrid(GridChoice.DEFAULT.withPoints(POINTS_LINE));
    if (rows.size() <= EXACT) return fit.withEngine(Engine.EXACT);
    return d == 2 ? fit.withGrid(GridChoice.DEFAULT.withPoints(POINTS_PLANE)) : fit;
  }

  private void state(ServerRequest request, ServerResponse response) {
    StudioSession session = sessions.require(id(request));
    answer(response, System.nanoTime(), StudioFacts.of(id(request), session));
  }

  private void close(ServerRequest request, ServerResponse response) {
    sessions.remove(id(request));
    response.status(204).send();
  }

  /// A change of a copy by a request.
  private interface Change {
    void apply(StudioSession session, JsonNode body);
  }

  private void change(ServerRequest request, ServerResponse response, Change change) {
    long start = System.nanoTime();
    try (Gate.Pass pass = server.gate().enter()) {
      String id = id(request);
      StudioSession session = sessions.require(id);
      JsonNode body = body(request, pass);
      Map<String, Object> answer =
          work.compute(
              () -> {
                change.apply(session, body);
                return seen(session, id, body, pass);
              });
      sessions.resize(id, session.bytes());
      answer(response, start, answer);
    }
  }

  private static void observe(StudioSession session, JsonNode body) {
    double[] row = StudioBody.numbers("row", body.path("row"));
    Model model = session.state().model();
    for (int j = 0; j < Math.min(row.length, model.columns().size()); j++)
      row[j] = StudioFacts.place(model, j, row[j]);
    session.observe(row);
  }

  private static void parameters(StudioSession session, JsonNode body) {
    Map<String, double[]> values = new LinkedHashMap<>();
    body.path("values")
        .properties()
        .forEach(
            entry ->
                values.put(entry.getKey(), StudioBody.numbers(entry.getKey(), entry.getValue())));
    if (values.isEmpty())
      throw Refusal.wrong("'values' is missing; give a value for each parameter by its name");
    session.parameters(values);
  }

  private void learn(ServerRequest request, ServerResponse response) {
    try (Gate.Pass pass = server.gate().enter()) {
      String id = id(request);
      StudioSession session = sessions.require(id);
      JsonNode body = body(request, pass);
      stream(
          response,
          progress -> {
            session.learn(progress);
            sessions.resize(id, session.bytes());
            return seen(session, id, body, pass);
          });
    }
  }

  private void checks(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    try (Gate.Pass pass = server.gate().enter()) {
      StudioSession session = sessions.require(id(request));
      body(request, pass);
      answer(response, start, work.compute(() -> StudioChecks.of(session, maker)));
    }
  }

  private void download(ServerRequest request, ServerResponse response) {
    try (Gate.Pass pass = server.gate().enter()) {
      StudioSession session = sessions.require(id(request));
      byte[] file = work.compute(session::file);
      pass.reserve(file.length);
      String name = session.name().replaceAll("[^A-Za-z0-9._-]", "-") + Repository.EXTENSION;
      response.header(HeaderNames.CONTENT_TYPE, "application/octet-stream");
      response.header(
          HeaderNames.CONTENT_DISPOSITION, "attachment; filename=\"%s\"".formatted(name));
      response.header(NO_STORE);
      response.send(file);
    }
  }

  // ---- long work ----

  private void stream(ServerResponse response, StudioJob.Work task) {
    if (!fits.tryAcquire())
      throw Refusal.busy(
          String.format(
              Locale.ROOT,
              "%d models are being fitted, which is the limit; try again when one is done",
              FITS));
    byte[] name = new byte[8];
    ThreadLocalRandom.current().nextBytes(name);
    String id = HexFormat.of().formatHex(name);
    StudioJob job = new StudioJob(() -> server.gate().closed(), work::words);
    jobs.put(id, job);
    try {
      job.answer(response, id, longPool, task);
    } finally {
      jobs.remove(id);
      fits.release();
    }
  }

  private void cancel(ServerRequest request, ServerResponse response) {
    StudioJob job = jobs.get(id(request));
    if (job != null) job.cancel();
    Answers.json(response, 200, Answers.map("cancelled", job != null));
  }

  // ---- searches ----

  private void search(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    try (Gate.Pass pass = server.gate().enter()) {
      JsonNode body = body(request, pass);
      StudioSearch search = work.compute(() -> StudioSearch.of(body));
      String id = searches.put(search, 2 << 20);
      answer(response, start, work.compute(() -> search.about(id, true)));
    }
  }

  private void step(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    try (Gate.Pass pass = server.gate().enter()) {
      String id = id(request);
      StudioSearch search = searches.require(id);
      body(request, pass);
      answer(
          response,
          start,
          work.compute(
              () -> {
                search.step();
                return search.about(id, false);
              }));
    }
  }
}
