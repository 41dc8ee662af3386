package lovelace.server;

/// The parts of [Attacks].
@SuppressWarnings("StringConcatToTextBlock") // HTTP ends its lines with two characters
final class AttackParts {

  /// Requests that are right, or wrong only in what they ask for: method, address, body.
  static final String[][] SEEDS = {
    {"POST", "/v2/models/line/infer", infer("1.5", "")},
    {"POST", "/v2/models/line/infer", infer("1.5", ",\"parameters\":{\"draws\":3,\"seed\":7}")},
    {"POST", "/v2/models/rows/infer", infer("2", ",\"parameters\":{\"quantiles\":[0.1,0.9]}")},
    {"POST", "/v2/models/words/infer", words("\"red\"", "\"2020-02-01\"")},
    {"POST", "/v2/models/line/versions/1/infer", infer("3", ",\"outputs\":[{\"name\":\"mean\"}]")},
    {"POST", "/v2/models/line/observe", observe("2", "0.5")},
    {"POST", "/v2/models/none/infer", infer("1", "")},
    {"POST", "/v2/models/sales/forecast", "{\"id\":\"shop 1\",\"horizon\":1,\"levels\":[7,80]}"},
    {"POST", "/v2/models/sales/versions/1/forecast", "{\"id\":\"shop 0\"}"},
    {"POST", "/v2/models/sales/infer", series("\"shop 1\"", "step", "INT64", "1")},
    {"POST", "/v2/models/sales/infer", series("\"shop 0\"", "horizon", "INT32", "1")},
    {"POST", "/v2/models/sales/observe", series("\"shop 1\"", "y", "FP64", "0.5")},
    {"GET", "/v2/models/sales", ""},
    {"GET", "/v2", ""},
    {"GET", "/v2/models", ""},
    {"GET", "/v2/models/line", ""},
    {"GET", "/v2/models/line/ready", ""},
    {"GET", "/v2/models/words/versions/1", ""},
    {"GET", "/v2/health/live", ""},
    {"GET", "/v2/health/ready", ""},
    {"GET", "/metrics", ""},
    {"GET", "/openapi.json", ""},
    {"GET", "/", ""},
    {"GET", "/studio/api/about", ""},
    {"GET", "/studio/api/examples/airline.csv", ""},
    {"POST", "/studio/api/tables", "a,b\n1,2\n2,3\n4,5\n"},
    {"POST", "/studio/api/sessions", "{\"model\":\"line\",\"view\":{\"points\":20,\"draws\":1}}"},
    {"POST", "/studio/api/sessions", "{\"table\":\"none\",\"target\":\"b\",\"inputs\":[\"a\"]}"},
    {"POST", "/studio/api/sessions/SESSION/view", "{\"view\":{\"x\":0,\"points\":9,\"at\":[1]}}"},
    {"POST", "/studio/api/sessions/SESSION/observe", "{\"row\":[1,2],\"view\":{\"slices\":3}}"},
    {"POST", "/studio/api/sessions/SESSION/parameters", "{\"values\":{\"noise\":[0.01]}}"},
    {"POST", "/studio/api/sessions/SESSION/undo", "{}"},
    {"POST", "/studio/api/sessions/SESSION/checks", "{}"},
    {"GET", "/studio/api/sessions/SESSION", ""},
    {"GET", "/studio/api/sessions/SESSION/model", ""},
    {"POST", "/studio/api/jobs/0/cancel", "{}"},
    {
      "POST",
      "/studio/api/series",
      "{\"table\":\"none\",\"time\":\"a\",\"target\":\"b\",\"horizon\":1}"
    },
    {"POST", "/studio/api/series/find", "{\"model\":\"sales\",\"search\":\"1\"}"},
    {"POST", "/studio/api/series/view", "{\"model\":\"sales\",\"id\":\"shop 1\",\"horizon\":1}"},
    {"POST", "/studio/api/series/backtest", "{\"model\":\"sales\",\"id\":\"shop 0\"}"},
    {"POST", "/studio/api/searches", "{\"function\":\"branin\",\"seed\":1}"},
    {"POST", "/studio/api/searches/none/step", "{}"},
  };

  static final String[] VALUES = {
    "1e999",
    "-1e999",
    "NaN",
    "Infinity",
    "null",
    "true",
    "{}",
    "[]",
    "[[[[]]]]",
    "\"\"",
    "\"x\"",
    "1e308",
    "-1e308",
    "5e-324",
    "9223372036854775807",
    "-9223372036854775808",
    "1e15",
    "-0.0",
    "123456789012345678901234567890",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "0.1e",
    "--1",
    "{\"a\":1}",
    "\"9999-99-99\"",
    "\"2020-02-01\"",
    "\"red\"",
    "0",
    "-1",
    "2147483648",
    "[1,2,3]",
    "\"0x1p3\""
  };

  static final String[] NAMES = {
    "inputs",
    "outputs",
    "parameters",
    "name",
    "shape",
    "datatype",
    "data",
    "id",
    "draws",
    "seed",
    "interval",
    "of",
    "noise",
    "quantiles",
    "timeout",
    "unseen",
    "binary_data_size",
    "binary_data",
    "binary_data_output",
    "model",
    "table",
    "view",
    "x",
    "y",
    "at",
    "points",
    "nx",
    "row",
    "values",
    "size",
    "likelihood",
    "kernel",
    "function",
    "",
    "priority",
    "horizon",
    "levels",
    "step",
    "time"
  };

  static final String[] CHUNKS = {
    "zz\r\n",
    "-5\r\n",
    "ffffffffff\r\n",
    "ffffffffffffffffffffffff\r\n",
    "\r\n",
    "5",
    "5\n",
    "5;a=b",
    " 5\r\nabcde\r\n",
    "+5\r\nabcde\r\n",
    "0x5\r\nabcde\r\n",
    "5\r\nabcdef\r\n",
    "5\r\nabc",
    "0",
    "0\r\n",
    "0\r\nX",
    "0\r\nA:b\r\n",
    "0\r\n: b\r\n\r\n",
    "5;\u0001\r\nabcde\r\n",
    "00000000000000000000\r\n",
    "7fffffff\r\n",
    "80000000\r\n",
    "8000000000000000\r\n",
    "5\rabcde\r\n",
    "5\r\nabcde\n\r\n"
  };

  static final String[] FRAMINGS = {
    "Content-Length: -5",
    "Content-Length: x",
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: 99999999999999999999",
    "Content-Length: 9223372036854775807",
    "Content-Length: +4",
    "Content-Length: 4, 4",
    "Content-Length:",
    "Content-Length: 0x10",
    "Content-Length: 1073741824",
    "Transfer-Encoding: gzip",
    "Transfer-Encoding: chunked, gzip",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 4",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding: \u000bchunked",
    "Transfer-Encoding: CHUNKED",
    "Content-Length: 4 4",
    "Content-Encoding: gzip\r\nContent-Length: 4",
    "Content-Encoding: br\r\nContent-Length: 4",
    "Content-Encoding: \r\nContent-Length: 4",
    "Expect: 100-continue\r\nContent-Length: 4",
    "Expect: 200-maybe\r\nContent-Length: 4",
    "Content-Length : 4"
  };

  static final String[] HEADERS = {
    "Host: evil.example",
    "Host: a\r\nHost: b",
    "Host:",
    "Host: [::1",
    "Host: a:b",
    "Host: a:99999999",
    "Host: localhost:-1",
    "X",
    "X Y: 1",
    ": 1",
    "X: \u0000",
    "X: a\u0007b",
    "X: caf\u00e9",
    "X: a\r\n b",
    "X: a\rb",
    "Connection: close",
    "Connection: \u0001",
    "Connection: upgrade\r\nUpgrade: h2c",
    "Upgrade: websocket\r\nConnection: Upgrade",
    "Origin: http://evil.example",
    "Origin: \u00ff",
    "Origin: null",
    "Origin: ://",
    "Authorization: Bearer",
    "Inference-Header-Content-Length: 5",
    "Inference-Header-Content-Length: -1",
    "Inference-Header-Content-Length: 99999999999",
    "If-None-Match: \"",
    "If-None-Match: W/",
    "Accept: \"",
    "Accept: ;;;",
    "Content-Type: \"/",
    "Content-Type: ///;=;",
    "Cookie: =;=\u00e4;",
    "Range: bytes=-1",
    "TE: trailers",
    "Trailer: X",
    "Accept-Encoding: gzip",
    "Accept-Encoding: \u0001",
    "A: b",
    "U: x"
  };

  static final String[] TARGETS = {
    "",
    "*",
    "x",
    "//",
    "/%",
    "/%zz",
    "/%00",
    "/%ff%fe",
    "/v2/models/%2e%2e/ready",
    "/v2/../..",
    "/?",
    "/v2?%",
    "/v2?a=%zz",
    "/v2#f",
    "/v2?a#b",
    "http://localhost/v2",
    "http://",
    "http:///v2",
    "http://a@localhost/v2",
    "ftp://localhost/v2",
    "/\u00e9",
    "/\u0001",
    "/v2\t",
    "/\"<>",
    "/[",
    "/{a}",
    "/v2/models/line/versions/99999999999999999999/infer",
    "/v2/models//infer",
    "/v2/models/%/infer",
    "localhost:80",
    "[v1.x]:80",
    "/v2/models/line/infer/",
    "/studio/api/sessions/%00/view",
    "/;a=b"
  };

  static final String[] METHODS = {
    "",
    "get",
    "G\u0001ET",
    "G ET",
    "PUT",
    "DELETE",
    "PATCH",
    "TRACE",
    "CONNECT",
    "OPTIONS",
    "HEAD",
    "PRI",
    "\u0000",
    "\u007f",
    "GET\t",
    "B\u00e4",
    "X".repeat(200),
    "(",
    "POST\r"
  };

  static final String[] VERSIONS = {
    "",
    "HTTP",
    "HTTP/",
    "HTTP/1",
    "HTTP/0.9",
    "HTTP/1.0",
    "HTTP/1.2",
    "HTTP/2.0",
    "HTTP/9.9",
    "http/1.1",
    "HTTP/1.1 x",
    "HTTP/1.1\u0000",
    "HTTP/11",
    "HTTP/1.x",
    "ICY/1.1"
  };

  private AttackParts() {}

  /// One row about a series.
  static String series(String id, String input, String datatype, String value) {
    return "{\"inputs\":[{\"name\":\"id\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":["
        + id
        + "]},{\"name\":\""
        + input
        + "\",\"shape\":[1],\"datatype\":\""
        + datatype
        + "\",\"data\":["
        + value
        + "]}]}";
  }

  static String infer(String value, String more) {
    return "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":["
        + value
        + "]}]"
        + more
        + "}";
  }

  static String words(String word, String day) {
    return "{\"inputs\":[{\"name\":\"colour\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":["
        + word
        + "]},{\"name\":\"day\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":["
        + day
        + "]}]}";
  }

  static String observe(String x, String y) {
    return "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":["
        + x
        + "]},{\"name\":\"y\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":["
        + y
        + "]}]}";
  }
}
