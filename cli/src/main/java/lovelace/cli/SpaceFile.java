package lovelace.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lovelace.bayesopt.SearchSpace;
import lovelace.bayesopt.Variable;

/// Reads a search space from a JSON file, an object with an entry for every variable:
///
/// ```json
/// {
///   "rate": {"type": "real", "low": 1e-4, "high": 1, "log": true},
///   "depth": {"type": "integer", "low": 1, "high": 12},
///   "method": {"type": "choice", "options": ["fast", "exact"]}
/// }
/// ```
final class SpaceFile {

  private SpaceFile() {}

  static SearchSpace read(Path file) throws IOException {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "'%s' is not JSON: %s".formatted(file, e.getOriginalMessage()), e);
    }
    if (!root.isObject() || root.isEmpty())
      throw new IllegalArgumentException(
          "'%s' must be an object with an entry for every variable, such as {\"x\": {\"type\": \"real\", \"low\": 0, \"high\": 1}}"
              .formatted(file));
    List<Variable> variables = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : root.properties())
      try {
        variables.add(variable(entry.getKey(), entry.getValue()));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'%s': %s".formatted(file, e.getMessage()), e);
      }
    return SearchSpace.of(variables);
  }

  private static Variable variable(String name, JsonNode node) {
    Set<String> known = Set.of("type", "low", "high", "log", "options");
    for (Map.Entry<String, JsonNode> field : node.properties())
      if (!known.contains(field.getKey()))
        throw new IllegalArgumentException(
            "%s has an unknown field '%s'; the fields are type, low, high, log and options"
                .formatted(name, field.getKey()));
    boolean log = node.path("log").asBoolean(false);
    String type = node.path("type").asText("");
    return switch (type) {
      case "real" ->
          log
              ? Variable.logReal(name, number(name, node, "low"), number(name, node, "high"))
              : Variable.real(name, number(name, node, "low"), number(name, node, "high"));
      case "integer" ->
          log
              ? Variable.logInteger(name, whole(name, node, "low"), whole(name, node, "high"))
              : Variable.integer(name, whole(name, node, "low"), whole(name, node, "high"));
      case "choice" -> {
        List<String> options = new ArrayList<>();
        for (JsonNode option : node.path("options")) options.add(option.asText());
        yield Variable.choice(name, options.toArray(String[]::new));
      }
      default ->
          throw new IllegalArgumentException(
              "the type of %s must be real, integer or choice, got '%s'".formatted(name, type));
    };
  }

  private static double number(String name, JsonNode node, String field) {
    if (!node.path(field).isNumber())
      throw new IllegalArgumentException(
          "%s needs a number '%s', got %s".formatted(name, field, node.path(field)));
    return node.path(field).asDouble();
  }

  private static long whole(String name, JsonNode node, String field) {
    double value = number(name, node, field);
    if (value != Math.rint(value))
      throw new IllegalArgumentException(
          "%s needs a whole number '%s', got %s".formatted(name, field, value));
    return Math.round(value);
  }
}
