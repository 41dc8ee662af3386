package lovelace.data;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A [PlaceMap] as bytes, and back.
final class PlaceMapBytes {

  private static final int LONGEST_NAME = 1 << 16;

  private PlaceMapBytes() {}

  /// The number of columns, the two coordinate columns and the projection (0 none, 1
  /// equirectangular, 2 equal-area) as 32-bit numbers. Then the longitude and latitude of the
  /// centre, the radius and inverse flattening of the Earth, the distortion, the angle and its
  /// standard error as 64-bit numbers. Then both names, each as its length in 32 bits and its bytes
  /// in UTF-8. Little-endian.
  static byte[] write(PlaceMap map) {
    byte[] first = map.eastName().getBytes(StandardCharsets.UTF_8);
    byte[] second = map.northName().getBytes(StandardCharsets.UTF_8);
    ByteBuffer all =
        ByteBuffer.allocate(4 * 4 + 7 * 8 + 8 + first.length + second.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(map.inputs())
            .putInt(map.east())
            .putInt(map.north())
            .putInt(map.projection().number);
    double[] numbers = {
      map.longitude(),
      map.latitude(),
      map.ellipsoid().semiMajor(),
      map.ellipsoid().inverseFlattening(),
      map.distortion(),
      map.angle(),
      map.angleError()
    };
    for (double value : numbers) all.putDouble(value);
    all.putInt(first.length).put(first).putInt(second.length).put(second);
    return all.array();
  }

  static PlaceMap read(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int inputs = all.getInt();
      int east = all.getInt();
      int north = all.getInt();
      int kind = all.getInt();
      PlaceMap.Projection projection =
          Arrays.stream(PlaceMap.Projection.values())
              .filter(p -> p.number == kind)
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "its coordinates have an unknown projection number " + kind));
      double longitude = all.getDouble();
      double latitude = all.getDouble();
      Place.Ellipsoid ellipsoid = new Place.Ellipsoid(all.getDouble(), all.getDouble());
      double distortion = all.getDouble();
      double angle = all.getDouble();
      double angleError = all.getDouble();
      String first = name(all);
      String second = name(all);
      if (all.hasRemaining())
        throw new IllegalArgumentException(
            "its coordinate map has %s bytes too many".formatted(all.remaining()));
      return new PlaceMap(
          inputs,
          east,
          north,
          first,
          second,
          projection,
          longitude,
          latitude,
          ellipsoid,
          distortion,
          angle,
          angleError);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("its coordinate map ends too early", e);
    }
  }

  private static String name(ByteBuffer all) {
    int length = all.getInt();
    if (length < 0 || length > LONGEST_NAME || length > all.remaining())
      throw new IllegalArgumentException("its coordinate map has a name of length " + length);
    byte[] bytes = new byte[length];
    all.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
