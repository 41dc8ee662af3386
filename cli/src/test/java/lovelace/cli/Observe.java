package lovelace.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/// Sends rows of x and y to a server.
final class Observe {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Observe() {}

  /// Whether the server has acknowledged the row; false if it was killed meanwhile.
  static boolean row(String address, String model, double x, double y) throws InterruptedException {
    String body =
        """
        {"inputs": [{"name": "x", "shape": [1, 1], "datatype": "FP64", "data": [%s]},
                    {"name": "y", "shape": [1], "datatype": "FP64", "data": [%s]}]}
        """
            .formatted(x, y);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/v2/models/" + model + "/observe"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer;
    try {
      answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      return false;
    }
    if (answer.statusCode() != 200) throw new AssertionError(answer.body());
    return true;
  }
}
