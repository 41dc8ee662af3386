import lovelace.maps.*;
float[][] tile = new float[1][RasterWriter.TILE * RasterWriter.TILE];
for (int i = 0; i < tile[0].length; i++) tile[0][i] = 500 + i % 256;
var frame = new Frame(9, 46, 0.01, 0.01, 256, 256, Optional.of(Crs.parse("EPSG:4326")));
try (var writer = RasterWriter.create(Path.of("dem.tif"), frame, List.of("elevation"))) {
  writer.write(0, 0, tile);
}
