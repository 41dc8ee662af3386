import lovelace.maps.*;
double west = 500_000;
double north = 4_900_000;
int width = 256;
int height = 256;
int down = 1;
int across = 1;
float[][] tile(int column, int row) { return new float[2][RasterWriter.TILE * RasterWriter.TILE]; }
try (var writer = RasterWriter.create(Path.of("dem.tif"), new Frame(9, 45, 0.01, 0.01, 256, 256, Optional.of(Crs.parse("EPSG:4326"))), List.of("elevation"))) {
  writer.write(0, 0, new float[1][RasterWriter.TILE * RasterWriter.TILE]);
}
