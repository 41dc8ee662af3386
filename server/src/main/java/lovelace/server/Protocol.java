package lovelace.server;

import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;

/// The Open Inference Protocol v2 over REST with its binary tensor extension, under `/v2`.
final class Protocol implements HttpService {

  static final Header JSON_TYPE = HeaderValues.createCached("Content-Type", "application/json");
  private static final Header BYTES_TYPE =
      HeaderValues.createCached("Content-Type", "application/octet-stream");
  private static final HeaderName LENGTH = HeaderNames.create("Inference-Header-Content-Length");

  /// The last parts of addresses that take requests for a model.
  private static final Set<String> VERBS = Set.of("infer", "observe", "forecast");

  private static final byte[] LIVE = Answers.bytes(Map.of("live", true));

  private final Server server;
  private final ForecastProtocol forecasts;

  Protocol(Server server) {
    this.server = server;
    forecasts = new ForecastProtocol(server);
  }

  @Override
  public void routing(HttpRules rules) {
    new Addresses(rules)
        .get("/", this::about)
        .get("/health/live", this::live)
        .get("/health/ready", this::ready)
        .get("/models", this::models)
        .get("/models/{model}", this::metadata)
        .get("/models/{model}/versions/{version}", this::metadata)
        .get("/models/{model}/ready", this::modelReady)
        .get("/models/{model}/versions/{version}/ready", this::modelReady)
        .elsewhere(Method.POST, "/models/{model}/infer")
        .elsewhere(Method.POST, "/models/{model}/observe")
        .elsewhere(Method.POST, "/models/{model}/forecast")
        .elsewhere(Method.POST, "/models/{model}/versions/{version}/infer")
        .elsewhere(Method.POST, "/models/{model}/versions/{version}/observe")
        .elsewhere(Method.POST, "/models/{model}/versions/{version}/forecast")
        .close();
  }

  /// Answers `POST /v2/models/NAME[/versions/V]/infer`, `/observe` or `/forecast`, the addresses of
  /// almost all requests. It takes the address apart by hand.
  void post(ServerRequest request, ServerResponse response) {
    String[] part = request.prologue().uriPath().path().split("/", 8);
    boolean versioned = part.length == 7 && part[4].equals("versions");
    String verb = part[part.length - 1];
    if (!(versioned || part.length == 5) || !VERBS.contains(verb)) {
      response.next();
      return;
    }
    try (Gate.Pass pass = server.gate().enter()) {
      Served served = server.models().require(part[3], versioned ? part[5] : null);
      switch (verb) {
        case "infer" -> infer(served.version(), pass, request, response);
        case "observe" -> observe(served, pass, request, response);
        default -> forecast(served.version(), pass, request, response);
      }
    }
  }

  private void about(ServerRequest request, ServerResponse response) {
    List<String> extensions = new ArrayList<>(List.of("binary_tensor_data"));
    if (server.options().updates()) extensions.add("observe");
    Answers.json(
        response,
        200,
        Answers.map(
            "name", "lovelace", "version", server.options().version(), "extensions", extensions));
  }

  private void live(ServerRequest request, ServerResponse response) {
    response.header(JSON_TYPE);
    response.send(LIVE);
  }

  /// Whether requests are accepted. It names broken files but not their errors, because probes show
  /// no token.
  private void ready(ServerRequest request, ServerResponse response) {
    Repository models = server.models();
    boolean ready = models.ready() && !server.gate().closed();
    Map<String, Object> answer = Answers.map("live", true, "ready", ready);
    List<Map<String, Object>> broken =
        models.broken().stream()
            .map(
                one ->
                    Answers.map(
                        "name",
                        one.name(),
                        "version",
                        one.version(),
                        "serving",
                        models.served(one.name(), one.version()) != null))
            .toList();
    if (!broken.isEmpty()) answer.put("broken", broken);
    Answers.json(response, ready ? 200 : 503, answer);
  }

  private void models(ServerRequest request, ServerResponse response) {
    Answers.json(response, 200, Map.of("models", server.models().names()));
  }

  private Served served(ServerRequest request) {
    var parameters = request.path().pathParameters();
    return server
        .models()
        .require(parameters.get("model"), parameters.first("version").orElse(null));
  }

  private void modelReady(ServerRequest request, ServerResponse response) {
    var parameters = request.path().pathParameters();
    String name = parameters.get("model");
    String version = parameters.first("version").orElse(null);
    List<Repository.Broken> broken = server.models().broken(name, version);
    Served served = server.models().served(name, version);
    if (served == null && broken.isEmpty()) served = server.models().require(name, version);
    boolean ready = served != null && !server.gate().closed();
    Map<String, Object> answer = Answers.map("name", name, "ready", ready);
    if (!broken.isEmpty())
      answer.put(
          "broken",
          broken.stream()
              .map(one -> Answers.map("version", one.version(), "error", one.error()))
              .toList());
    String refusal = served == null ? null : served.refusal();
    if (refusal != null) answer.put("observations", refusal);
    Answers.json(response, ready ? 200 : 503, answer);
  }

  private void metadata(ServerRequest request, ServerResponse response) {
    Served served = served(request);
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("name", served.name());
    about.put(
        "versions", server.models().versions(served.name()).stream().map(Served::number).toList());
    about.put("platform", "lovelace");
    about.putAll(
        switch (served.content()) {
          case ModelContent(Model model) -> metadata(model);
          case ForecastContent content -> ForecastProtocol.metadata(content);
        });
    Answers.json(response, 200, about);
  }

  private static Map<String, Object> metadata(Model model) {
    int d = model.columns().size();
    List<Object> outputs = new ArrayList<>();
    for (String name : Inference.outputs(model.likelihood()))
      outputs.add(
          tensor(
              name,
              name.equals("outside") ? "BOOL" : "FP64",
              name.equals("samples") || name.equals("quantiles") ? List.of(-1, -1) : List.of(-1)));
    return Answers.map(
        "inputs",
        List.of(tensor("x", "FP64", List.of(-1, d))),
        "outputs",
        outputs,
        "parameters",
        parameters(model));
  }

  /// Facts that the protocol does not define: the columns behind `x`, and the target.
  private static Map<String, Object> parameters(Model model) {
    Map<String, Object> target =
        Answers.map("name", model.target().name(), "unit", model.target().unit());
    if (model.target().isText()) target.put("words", model.target().values());
    return Answers.map(
        "columns",
        model.columns().stream().map(Protocol::column).toList(),
        "target",
        target,
        "kernel",
        model.hyperparameters().kernel().toString(),
        "likelihood",
        likelihood(model),
        "observations",
        model.count());
  }

  /// A likelihood with the values of its parameters, the quantities that can be predicted, and the
  /// name of the input for the size of an observation.
  static Map<String, Object> likelihood(Model model) {
    Likelihood likelihood = model.likelihood();
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < likelihood.values().length; i++)
      values.put(likelihood.parameterNames().get(i), likelihood.values()[i]);
    Map<String, Object> about =
        Answers.map(
            "name",
            likelihood.toString(),
            "parameters",
            values,
            "of",
            InferRequest.names(likelihood),
            "usual",
            likelihood.usual().toString());
    String size = InferRequest.sizeName(model);
    if (!size.isEmpty()) about.put("size", size);
    model
        .laplace()
        .ifPresent(
            found -> {
              about.put("steps", found.steps());
              about.put("residual", found.residual());
            });
    return about;
  }

  /// A column. If it has words, they are listed in the order of their numbers, from 0.
  private static Map<String, Object> column(Column column) {
    Map<String, Object> about = Answers.map("name", column.name(), "unit", column.unit());
    about.put("datatype", column.isText() || column.time().isPresent() ? "BYTES" : "FP64");
    if (column.isText()) about.put("words", column.values());
    if (column.fill().isPresent()) about.put("missing", column.format(column.fill().getAsDouble()));
    return about;
  }

  static Map<String, Object> tensor(String name, String datatype, List<Integer> shape) {
    return Answers.map("name", name, "datatype", datatype, "shape", shape);
  }

  private void infer(
      Served.Version version, Gate.Pass pass, ServerRequest request, ServerResponse response) {
    ServerOptions.Limits limits = server.options().limits();
    byte[] body = Body.read(request, pass, limits.body());
    Room room = Room.of(pass, limits.rows(), version.content());
    InferRequest read = InferRequest.read(body, json(request, body), room);
    InferAnswer answer;
    try {
      answer =
          switch (version.content()) {
            case ModelContent model -> infer(version, read, body.length, pass);
            case ForecastContent content -> forecasts.infer(version, content, read, pass);
          };
    } catch (RuntimeException e) {
      throw Failure.of(e, version.name());
    }
    server.metrics().rows(version.name(), answer.rows());
    if (answer.binary()) {
      response.header(BYTES_TYPE);
      response.header(LENGTH, Integer.toString(answer.json()));
    } else {
      response.header(JSON_TYPE);
    }
    response.send(answer.body());
  }

  private InferAnswer infer(Served.Version version, InferRequest read, int bytes, Gate.Pass pass) {
    ServerOptions.Limits limits = server.options().limits();
    Inference inference = new Inference(version, read, limits.rows());
    long end = System.nanoTime() + Math.min(limits.timeout().toNanos(), read.timeout);
    return inference.isLong(bytes)
        ? server.compute(() -> inference.answer(limits, server.threads(), pass, end))
        : inference.answer(limits, server.threads(), pass, end);
  }

  private void forecast(
      Served.Version version, Gate.Pass pass, ServerRequest request, ServerResponse response) {
    byte[] body = Body.read(request, pass, server.options().limits().body());
    byte[] answer;
    try {
      answer = forecasts.forecast(version, body, pass);
    } catch (RuntimeException e) {
      throw Failure.of(e, version.name());
    }
    response.header(JSON_TYPE);
    response.send(answer);
  }

  /// The rows that a request wants to add to the content.
  private static List<byte[]> observations(
      Content content, InferRequest read, int most, Gate.Pass pass, Room room) {
    switch (content) {
      case ModelContent(Model model) -> {
        List<double[]> rows = read.observations(model, most);
        pass.reserve(rows.size() * 16L * (model.columns().size() + 8));
        return rows.stream().map(ModelContent::row).toList();
      }
      case ForecastContent forecasts -> {
        List<String> names = List.of("id", "time", "y");
        return new ForecastInputs(forecasts, read, names, most).observations(room);
      }
    }
  }

  private void observe(
      Served served, Gate.Pass pass, ServerRequest request, ServerResponse response) {
    Updates updates = served.updates();
    try {
      String refusal = served.refusal();
      if (refusal != null) throw new Refusal(507, refusal);
      if (updates == null)
        throw new Refusal(
            403, "this server does not accept observations; start it with --allow-updates");
      ServerOptions.Limits limits = server.options().limits();
      byte[] body = Body.read(request, pass, limits.body());
      Room room = Room.of(pass, limits.rows(), served.content());
      InferRequest read = InferRequest.read(body, json(request, body), room);
      List<byte[]> rows = observations(served.content(), read, limits.rows(), pass, room);
      Content now = updates.add(rows).get(limits.timeout().toMillis(), TimeUnit.MILLISECONDS);
      server.metrics().observed(served.name(), rows.size());
      Map<String, Object> answer =
          Answers.map("model_name", served.name(), "model_version", served.number());
      if (read.id != null) answer.put("id", read.id);
      if (!read.remarks().isEmpty())
        answer.put("parameters", Map.of("notes", String.join("; ", read.remarks())));
      answer.put("added", rows.size());
      answer.put("observations", now.count());
      Answers.json(response, 200, answer);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Refusal refusal) throw refusal;
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new Refusal(
          504,
          "the update takes too long, and may still be applied; look at the model before you send it again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(503, "the server is shutting down");
    }
  }

  /// The number of bytes of a body that are JSON.
  static int json(ServerRequest request, byte[] body) {
    if (!request.headers().contains(LENGTH)) return body.length;
    String text = request.headers().get(LENGTH).get();
    try {
      int length = Integer.parseInt(text.trim());
      if (length >= 0 && length <= body.length) return length;
    } catch (NumberFormatException e) {
      // reported below
    }
    throw Refusal.wrong(
        "Inference-Header-Content-Length is '%s'; it must be the length of the JSON, at most %,d",
        text, body.length);
  }

  static @Nullable String header(ServerRequest request, HeaderName name) {
    return request.headers().contains(name) ? request.headers().get(name).get() : null;
  }
}
