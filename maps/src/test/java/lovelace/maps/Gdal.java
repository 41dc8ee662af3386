package lovelace.maps;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import lovelace.testing.Programs;

/// GDAL's commands, by which rasters are made and read besides our own code.
final class Gdal {

  private Gdal() {}

  /// Runs a command that stands beside `gdalinfo`, and returns what it printed.
  static String run(String command, String... arguments) throws Exception {
    return run(Programs.require("gdal").resolveSibling(command), "", arguments);
  }

  static String run(Path command, String input, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of(command.toString()));
    line.addAll(List.of(arguments));
    Path said = Files.createTempFile("lovelace-", ".out");
    Path fed = Files.createTempFile("lovelace-", ".in");
    try {
      Files.writeString(fed, input);
      Process process =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectInput(fed.toFile())
              .redirectOutput(said.toFile())
              .start();
      int code = process.waitFor();
      String text = Files.readString(said, UTF_8);
      if (code != 0) throw new AssertionError(line + " ended with " + code + ": " + text);
      return text;
    } finally {
      Files.delete(said);
      Files.delete(fed);
    }
  }

  /// The output of `gdalinfo` for a raster.
  static JsonNode info(Path file) throws Exception {
    return new ObjectMapper().readTree(run("gdalinfo", "-json", file.toString()));
  }

  /// The pixels of all bands, band by band, as numbers of 64 bits.
  static double[] pixels(Path file, String... options) throws Exception {
    Path raw = Files.createTempFile("lovelace-", ".raw");
    List<String> arguments =
        new ArrayList<>(List.of("-q", "-of", "ENVI", "-ot", "Float64", "-co", "INTERLEAVE=BSQ"));
    arguments.addAll(List.of(options));
    arguments.add(file.toString());
    arguments.add(raw.toString());
    try {
      run("gdal_translate", arguments.toArray(String[]::new));
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(raw)).order(ByteOrder.LITTLE_ENDIAN);
      double[] values = new double[bytes.capacity() / 8];
      bytes.asDoubleBuffer().get(values);
      return values;
    } finally {
      delete(raw);
    }
  }

  private static void delete(Path raw) throws IOException {
    String name = raw.getFileName().toString();
    for (String other : new String[] {name, name.replace(".raw", ".hdr"), name + ".aux.xml"})
      Files.deleteIfExists(raw.resolveSibling(other));
  }
}
