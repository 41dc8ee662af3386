package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.TimeoutError;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.testing.Needs;
import lovelace.testing.Programs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The studio's page in a browser, as people use it. Pictures of it go to `target/studio`.
@Needs("chromium")
final class StudioIT {

  private static final Path PICTURES = Path.of("target", "studio");
  private static final double PATIENCE = 20_000;

  @TempDir static Path folder;
  private static @Nullable Playwright playwright;
  private static @Nullable Browser browser;
  private static Server server;
  private final List<String> wrong = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectories(PICTURES);
    Trial.line(300, 1).save(folder.resolve("line.lvl"));
    Trial.plane(400, 2).save(folder.resolve("plane.lvl"));
    Trial.wide(400, 30, 3).save(folder.resolve("wide.lvl"));
    TrialForecasts.save(folder.resolve("sales.lvf"), TrialForecasts.shops(12, 4));
    server =
        Trial.start(
            Trial.options(
                folder.resolve("line.lvl"),
                folder.resolve("plane.lvl"),
                folder.resolve("wide.lvl"),
                folder.resolve("sales.lvf")));
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(Programs.require("chromium"))
                    .setArgs(List.of("--no-sandbox"))); // tests run as root in containers
  }

  @AfterAll
  static void stop() {
    if (browser != null) browser.close();
    if (playwright != null) playwright.close();
    if (server != null) server.close();
  }

  @AfterEach
  void nothingWentWrong() {
    assertEquals(List.of(), wrong);
  }

  /// The page, once the first model stands; what it complains of or asks of others is wrong.
  private Page open(int width, int height, ColorScheme scheme, boolean still) {
    BrowserContext context =
        Objects.requireNonNull(browser)
            .newContext(
                new Browser.NewContextOptions()
                    .setViewportSize(width, height)
                    .setColorScheme(scheme)
                    .setAcceptDownloads(true)
                    .setReducedMotion(still ? ReducedMotion.REDUCE : ReducedMotion.NO_PREFERENCE));
    context.setDefaultTimeout(PATIENCE);
    Page page = context.newPage();
    page.onPageError(wrong::add);
    page.onConsoleMessage(
        message -> {
          boolean refusal = message.text().contains("status of 4"); // told in words as well
          if (message.type().equals("error") && !refusal) wrong.add(message.text());
        });
    page.onRequest(
        request -> {
          URI address = URI.create(request.url());
          if (address.getScheme().startsWith("http") && address.getPort() != server.port())
            wrong.add("asked " + address);
        });
    page.navigate(server.address());
    page.waitForSelector("html[data-ready]");
    return page;
  }

  private static void picture(Page page, String name) {
    page.waitForTimeout(350); // the posterior has moved
    page.screenshot(
        new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")).setFullPage(true));
  }

  private static void said(Page page, String words) {
    page.waitForFunction(
        "words => document.getElementById('live').textContent.includes(words)", words);
  }

  @Test
  void aSeriesIsFoundForecastAndTested() {
    Page page = open(1360, 1000, ColorScheme.LIGHT, true);
    page.click("#tab-series");
    said(page, "shop 0: at 2023-10-01");
    assertTrue(
        page.textContent("#series-facts")
            .contains("360 values of 12 series, 4 steps ahead; months"));
    page.fill("#series-search", "p 1");
    page.waitForFunction("() => document.getElementById('series-list').children.length === 3");
    assertEquals("3 of 12", page.textContent("#series-count"));
    page.click("#series-list button:nth-child(2)");
    said(page, "shop 10: at 2024-08-01");
    assertEquals(4, page.locator("#series-numbers tbody tr").count());
    page.focus("#series-horizon");
    page.keyboard().press("ArrowLeft");
    page.waitForFunction(
        "() => document.querySelectorAll('#series-numbers tbody tr').length === 3");
    page.focus("#fan");
    page.keyboard().press("ArrowRight");
    said(page, "95 %");
    page.keyboard().press("+");
    assertEquals("21", page.textContent("#series-zoom-now"));
    page.click("#backtest-one");
    page.waitForSelector("#backtest-scores td");
    assertTrue(page.textContent("#backtest-facts").startsWith("12 earlier forecasts of one"));
    page.click("#backtest-all");
    page.waitForFunction(
        "() => document.getElementById('backtest-facts').textContent.startsWith('36 earlier')");
    picture(page, "forecasts");
    page.click("#theme");
    picture(page, "forecasts-dark");
  }

  @Test
  void aTableWithTimesIsForecastBesideAFit() {
    Page page = open(1360, 1000, ColorScheme.LIGHT, true);
    page.click("#tab-data");
    page.click("#example-airline");
    page.waitForSelector("#forecast-submit");
    page.setDefaultTimeout(6 * PATIENCE); // learning takes seconds on a free machine
    page.fill("#forecast-horizon", "18");
    page.locator("#data")
        .screenshot(
            new com.microsoft.playwright.Locator.ScreenshotOptions()
                .setPath(PICTURES.resolve("forecast-data.png")));
    page.click("#forecast-submit");
    said(page, "The series: at 1962-06");
    assertTrue(page.isVisible("#fan"));
    assertEquals("18", page.inputValue("#series-horizon"));
    assertTrue(page.isHidden("#backtest-all"));
    page.click("#backtest-one");
    page.waitForSelector("#backtest-scores td");
    picture(page, "forecast-airline");
    page.setViewportSize(420, 900);
    picture(page, "forecast-narrow");
  }

  private static double[] at(Page page, String canvas, double across, double up) {
    BoundingBox box = page.locator(canvas).boundingBox();
    return new double[] {box.x + across * box.width, box.y + (1 - up) * box.height};
  }

  private static void hover(Page page, String canvas, double across, double up) {
    double[] place = at(page, canvas, across, up);
    page.mouse().move(place[0], place[1]);
  }

  private static void click(Page page, String canvas, double across, double up) {
    double[] place = at(page, canvas, across, up);
    page.mouse().click(place[0], place[1]);
  }

  /// The page's number at the cursor.
  private static double fact(Page page, String term) {
    String text =
        (String)
            page.evaluate(
                "term => [...document.querySelectorAll('#cursor dt')].find(dt => dt.textContent === term).nextSibling.textContent",
                term);
    return Double.parseDouble(text.replace('−', '-').replace(",", ""));
  }

  private static Path table() throws IOException {
    SplittableRandom random = new SplittableRandom(11);
    StringBuilder text = new StringBuilder("station,hour,flow\n");
    for (int i = 0; i < 160; i++) {
      double x = 10 * random.nextDouble();
      if (x > 4.2 && x < 6.4) continue; // nothing is known here
      double y = 3 + Math.sin(1.4 * x) + 0.5 * Math.cos(2.3 * x) + 0.1 * random.nextGaussian();
      text.append("A1,").append(x).append(',').append(y).append('\n');
    }
    Path file = folder.resolve("flow.csv");
    Files.writeString(file, text);
    return file;
  }

  @Test
  void uploadFitClickAndDownload() throws IOException {
    Path file = table();
    int rows = Files.readAllLines(file).size() - 1;
    Page page = open(1400, 900, ColorScheme.LIGHT, false);
    page.click("#tab-data");
    page.setInputFiles("#file", file);
    page.waitForSelector("#fit:not([hidden])");
    assertEquals("flow", page.inputValue("#target"));
    picture(page, "table");
    page.click("#fit [type=submit]");
    page.waitForSelector("#explore:not([hidden])");
    page.waitForFunction(
        "rows => document.getElementById('facts').textContent.startsWith(rows)",
        rows + " observations of flow");
    said(page, "Fitted in");

    double middle = 0.5;
    hover(page, "#curve", middle, 0.6);
    double before = fact(page, "std. deviation");
    picture(page, "1d");
    click(page, "#curve", middle, 0.6);
    said(page, "Added");
    assertTrue(page.textContent("#trip").contains("ms"), page.textContent("#trip"));
    hover(page, "#curve", middle, 0.62);
    double after = fact(page, "std. deviation");
    assertTrue(after < 0.6 * before, "the band shrinks: " + before + " to " + after);
    picture(page, "1d-added");

    // draws turn into those of the next seed while nobody does anything
    double seed = Double.parseDouble(page.inputValue("#seed"));
    try {
      page.waitForFunction("seed => Number(document.getElementById('seed').value) > seed", seed);
    } catch (TimeoutError e) {
      throw new AssertionError(
          "the draws stand still: the button says '%s', the page says '%s'"
              .formatted(page.textContent("#play"), page.textContent("#live")),
          e);
    }

    page.click("#learn");
    page.waitForFunction(
        "() => document.getElementById('learning').textContent.startsWith('Learned in')");
    Download download = page.waitForDownload(() -> page.click("#download"));
    assertEquals("flow.lvl", download.suggestedFilename());
    Path saved = folder.resolve("flow.lvl");
    download.saveAs(saved);
    assertEquals(rows + 1, Model.load(saved).count());

    page.click("#tab-checks");
    page.waitForFunction("() => document.querySelectorAll('#scores > div').length === 6");
    picture(page, "checks");
    page.context().close();
  }

  @Test
  void countsAndClassesAreFittedAndChecked() throws IOException {
    SplittableRandom random = new SplittableRandom(6);
    StringBuilder text = new StringBuilder("day,calls,hours,busy\n");
    for (int i = 0; i < 90; i++) {
      double x = 10 * random.nextDouble();
      int hours = 1 + i % 3;
      double calls = Likelihood.poisson().law(Of.OBSERVATION, hours).draw(1 + Math.sin(x), random);
      text.append("%s,%s,%s,%s%n".formatted(x, calls, hours, calls > 2.5 * hours ? 1 : 0));
    }
    Path file = folder.resolve("calls.csv");
    Files.writeString(file, text);
    Page page = open(1400, 900, ColorScheme.LIGHT, true);
    page.click("#tab-data");
    page.setInputFiles("#file", file);
    page.waitForSelector("#fit:not([hidden])");
    page.selectOption("#target", "calls");
    assertFalse(page.isVisible("#size"), "numbers have no size");
    page.selectOption("#likelihood", "poisson");
    page.selectOption("#size", "hours");
    page.uncheck("#inputs input[value=busy]");
    picture(page, "counts-table");
    page.click("#fit [type=submit]");
    page.waitForSelector("#explore:not([hidden])");
    page.waitForFunction("() => document.getElementById('numbers').textContent.startsWith('day')");
    assertTrue(page.textContent("#about").contains("poisson"), page.textContent("#about"));
    assertTrue(page.textContent("#about").contains("Newton steps"), page.textContent("#about"));
    hover(page, "#curve", 0.4, 0.6);
    picture(page, "counts");
    assertTrue(fact(page, "median") > 0, "a rate: " + page.textContent("#cursor"));
    assertEquals(Math.rint(fact(page, "would add")), fact(page, "would add"), "a count");
    page.selectOption("#bands", "observation");
    picture(page, "counts-observed");
    click(page, "#curve", 0.4, 0.6);
    said(page, "Added");
    page.click("#tab-checks");
    page.waitForFunction("() => document.querySelectorAll('#scores > div').length === 5");
    picture(page, "counts-checks");

    page.click("#tab-data");
    page.selectOption("#target", "busy");
    page.selectOption("#likelihood", "bernoulli");
    for (String other : List.of("calls", "hours"))
      page.uncheck("#inputs input[value=" + other + "]");
    page.check("#inputs input[value=day]");
    page.click("#fit [type=submit]");
    page.waitForSelector("#explore:not([hidden])");
    page.waitForFunction(
        "() => document.getElementById('about').textContent.includes('bernoulli')");
    picture(page, "classes");
    page.click("#tab-checks");
    page.waitForFunction("() => document.querySelectorAll('#scores > div').length === 4");
    assertFalse(page.isVisible("#residuals"), "classes have no residuals");
    picture(page, "classes-checks");
    page.context().close();
  }

  @Test
  void keysDoWhatThePointerDoes() {
    Page page = open(1280, 860, ColorScheme.DARK, true);
    assertEquals("dark", page.getAttribute("html", "data-theme"));
    page.focus("#curve");
    for (int i = 0; i < 3; i++) page.keyboard().press("Shift+ArrowRight");
    page.keyboard().press("ArrowUp");
    said(page, "Enter adds");
    page.keyboard().press("Enter");
    said(page, "Added");
    page.waitForFunction("() => document.getElementById('facts').textContent.startsWith('301 ')");
    String noise = page.textContent("output[for=slider-noise-0]");
    page.focus("#slider-noise-0");
    page.keyboard().press("PageUp");
    page.waitForFunction(
        "old => document.querySelector('output[for=slider-noise-0]').textContent !== old", noise);
    page.waitForFunction(
        "() => [...document.querySelectorAll('#about dd')].some(dd => dd.textContent.startsWith('spectral'))");
    page.fill("#add-0", "5");
    page.fill("#add-1", "much");
    page.keyboard().press("Enter");
    page.waitForFunction("() => document.getElementById('message').textContent.includes('much')");
    page.fill("#add-1", "0.5");
    page.keyboard().press("Enter");
    said(page, "at 5");
    picture(page, "1d-dark");
    page.focus("#tab-explore");
    page.keyboard().press("ArrowRight");
    page.waitForSelector("#data:not([hidden])");
    page.fill("#paste", "a,b\n1,2\n3\n");
    page.click("#use-paste");
    page.waitForFunction(
        "() => document.getElementById('message').textContent.includes('Row 2 has 1 values')");
    // whatever can be focused has a name
    Object nameless =
        page.evaluate(
            """
            () => [...document.querySelectorAll('button, select, textarea, input, canvas[tabindex]')]
              .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
              .map((e) => e.id)""");
    assertEquals(List.of(), nameless);
    page.context().close();
  }

  @Test
  void planeIsSeenAndAddedTo() {
    Page page = open(1400, 1000, ColorScheme.LIGHT, true);
    page.selectOption("#model", "plane");
    page.waitForSelector("#plane:not([hidden])");
    page.waitForFunction("() => document.getElementById('facts').textContent.startsWith('400 ')");
    page.waitForSelector("#cursor dt"); // the map is there, and a cursor in its middle
    hover(page, "#mean", 0.8, 0.9);
    double before = fact(page, "std. deviation");
    click(page, "#mean", 0.8, 0.9);
    said(page, "Added");
    double after = fact(page, "std. deviation");
    assertTrue(after < before, before + " to " + after);
    picture(page, "2d");
    page.click("#theme");
    picture(page, "2d-dark");
    page.context().close();
  }

  @Test
  void aWideModelHasASliceForEachInput() {
    Page page = open(1400, 1000, ColorScheme.LIGHT, true);
    page.selectOption("#model", "wide");
    page.waitForSelector("#columns:not([hidden])");
    page.waitForFunction("() => document.querySelectorAll('#column-slices canvas').length === 5");
    page.waitForFunction(
        "() => document.getElementById('along-title-4').textContent.startsWith('Along x5, held at')");
    String before = page.locator("#along-0").evaluate("c => c.toDataURL()").toString();
    page.locator("#along-1").scrollIntoViewIfNeeded();
    click(page, "#along-1", 0.9, 0.5);
    said(page, "x2 is held at 3.");
    page.waitForTimeout(350); // the posterior has moved
    String after = page.locator("#along-0").evaluate("c => c.toDataURL()").toString();
    assertTrue(!after.equals(before), "the slice along x1 is another where x2 is");
    page.locator("#along-4").focus();
    page.keyboard().press("ArrowRight");
    page.keyboard().press("Enter");
    said(page, "x5 is held at");
    picture(page, "wide");
    page.context().close();
  }

  @Test
  void searchShowsWhereItLooksNext() {
    Page page = open(1400, 1000, ColorScheme.LIGHT, true);
    page.click("#tab-search");
    for (int i = 1; i <= 12; i++) {
      page.waitForFunction(
          "n => document.querySelector('#search-about dd')?.textContent === n",
          Integer.toString(i - 1));
      page.click("#search-step");
    }
    page.waitForFunction(
        "() => document.getElementById('search-facts').textContent.includes('acquisition is highest')");
    picture(page, "search");
    page.context().close();
  }

  @Test
  void hundredThousandPointsAreDrawnAsCells() {
    Page page = open(1280, 860, ColorScheme.LIGHT, false);
    page.click("#tab-data");
    page.click("#example-many");
    page.waitForFunction(
        "() => document.getElementById('table-facts').textContent.includes('100,000 rows')");
    page.click("#fit [type=submit]");
    page.waitForFunction(
        "() => document.getElementById('curve-legend').textContent.includes('100,000 rows, counted in cells')");
    click(page, "#curve", 0.9, 0.6);
    said(page, "Added");
    picture(page, "100000");
    page.context().close();
  }

  @Test
  void tokenIsAskedForOnce() throws IOException {
    try (Server guarded =
        Trial.start(Trial.options(folder.resolve("line.lvl")).withToken("secret"))) {
      BrowserContext context = Objects.requireNonNull(browser).newContext();
      context.setDefaultTimeout(PATIENCE);
      Page page = context.newPage();
      page.navigate(guarded.address());
      page.waitForSelector("#token-dialog[open]");
      page.fill("#token", "secret");
      page.keyboard().press("Enter");
      page.waitForSelector("html[data-ready]");
      page.waitForFunction("() => document.getElementById('facts').textContent.startsWith('300 ')");
      context.close();
    }
  }

  private static Page guarded(Server server, List<String> tokens) {
    BrowserContext context = Objects.requireNonNull(browser).newContext();
    context.setDefaultTimeout(PATIENCE);
    Page page = context.newPage();
    page.onRequest(
        request -> {
          String token = request.headers().get("authorization");
          if (token != null) tokens.add(token);
        });
    page.navigate(server.address());
    page.waitForSelector("#token-dialog[open]");
    return page;
  }

  @Test
  void escapeInTheTokenDialogSendsNothing() throws IOException {
    try (Server server =
        Trial.start(Trial.options(folder.resolve("line.lvl")).withToken("secret"))) {
      List<String> tokens = new ArrayList<>();
      Page page = guarded(server, tokens);
      page.fill("#token", "stale");
      page.keyboard().press("Escape");
      page.waitForFunction(
          "() => document.getElementById('message').textContent.includes('token')");
      assertEquals(List.of(), tokens);
      assertEquals("", page.inputValue("#token"));
      page.context().close();
    }
  }

  @Test
  void requestsRefusedTogetherWaitForOneToken() throws IOException {
    try (Server server =
        Trial.start(Trial.options(folder.resolve("line.lvl")).withToken("secret"))) {
      Page page = guarded(server, new ArrayList<>());
      page.evaluate(
          """
          async () => {
            const api = await import('/api.js');
            let refused = 0;
            const ask = window.fetch;
            window.fetch = async (...all) => {
              const answer = await ask(...all);
              if (answer.status === 401) window.refused = ++refused;
              return answer;
            };
            Promise.all([api.get('about'), api.get('about')]).then(
              () => { window.both = 'done'; }, (e) => { window.both = e.message; });
          }""");
      page.waitForFunction("() => window.refused === 2");
      page.fill("#token", "secret");
      page.keyboard().press("Enter");
      page.waitForFunction("() => window.both === 'done'");
      page.waitForSelector("html[data-ready]");
      page.waitForFunction("() => document.getElementById('facts').textContent.startsWith('300 ')");
      page.context().close();
    }
  }

  @Test
  void linksInTheFooterSendTheToken() throws IOException {
    try (Server server =
        Trial.start(Trial.options(folder.resolve("line.lvl")).withToken("secret"))) {
      Page page = guarded(server, new ArrayList<>());
      page.fill("#token", "secret");
      page.keyboard().press("Enter");
      page.waitForSelector("html[data-ready]");
      for (String[] link :
          List.of(
              new String[] {"metrics", "lovelace_requests_total"},
              new String[] {"v2", "binary_tensor_data"})) {
        page.click("footer a[href=" + link[0] + "]");
        page.waitForFunction(
            "words => document.getElementById('answer-text')?.textContent.includes(words)",
            link[1]);
        page.keyboard().press("Escape");
      }
      page.context().close();
    }
  }

  @Test
  void narrowWindowNeedsNoSidewaysScrolling() {
    Page page = open(390, 800, ColorScheme.LIGHT, true);
    for (String tab : List.of("data", "checks", "search", "explore")) {
      page.click("#tab-" + tab);
      page.waitForTimeout(200);
      assertEquals(
          true,
          page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"),
          tab);
    }
    picture(page, "narrow");
    page.context().close();
  }
}
