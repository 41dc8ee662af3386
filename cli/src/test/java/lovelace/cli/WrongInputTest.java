package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import lovelace.maps.Crs;
import lovelace.maps.Frame;
import lovelace.maps.RasterWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each command answers wrong input with place, value, rule and remedy, and exit code 2.
class WrongInputTest {

  @TempDir static Path folder;

  @BeforeAll
  static void writeFiles() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("a.csv", Trial.wave(0, 40));
    trial.write("b.csv", Trial.wave(40, 80));
    trial.write("text.csv", "x,y\n1,2\n2,oops\n3,4\n");
    trial.write("gap.csv", "x,y\n1,2\n,3\n3,4\n");
    trial.write("twice.csv", "x,x,y\n1,2,3\n");
    trial.write("nonames.csv", "1,2\n3,4\n");
    trial.write("empty.csv", "");
    trial.write("norows.csv", "x,y\n");
    trial.write("ragged.csv", "x,y\n1,2\n2,3,4\n3,5\n");
    trial.write("single.csv", "x,y\n1,2\n");
    trial.write("farx.csv", "x,y\n1,2\n1e300,3\n2,4\n");
    trial.write("fary.csv", "x,y\n1,2\n2,-1e300\n3,4\n");
    trial.write("bytes.csv", "x,y\n1,\0\n");
    Files.write(
        folder.resolve("latin.csv"),
        "gr\u00fcn,y\n1,2\n2,3\n".getBytes(StandardCharsets.ISO_8859_1));
    trial.write("const.csv", "x,y\n1,5\n2,5\n");
    trial.write("constx.csv", "x,y\n1,2\n1,3\n1,5\n");
    trial.write("neg.csv", "x,y\n1,2\n2,-5\n3,6\n");
    trial.write("names.csv", "name,y\na,1\nb,2\n");
    trial.write("weights.csv", "x,y,w\n1,2,1\n2,3,-1\n3,1,1\n");
    trial.write("far.csv", "x,y\n50,2\n");
    trial.write("clash.csv", "x,mean\n1,2\n");
    trial.write("notarget.csv", "x,z\n1,2\n2,3\n");
    trial.write("half.json", "{\"x\":1,\"y\":2}\n{\"x\":\n");
    Files.createDirectory(folder.resolve("dir"));
    writeMaps(trial);
    String fit =
        " --target y --no-train --set lengthscale=1 --set outputscale=1 --set noise=0.1"
            + " --set mean=1 --grid 30 --bounds x=0:6 --model @";
    trial.ok("fit @a.csv" + fit + "a.lvl");
    trial.ok("fit @a.csv --transform log" + fit + "log.lvl");
    trial.ok("fit @a.csv --kernel matern12" + fit + "rough.lvl");
    trial.ok("fit @a.csv" + fit.replace("x=0:6", "x=0:7") + "wide.lvl");
    byte[] whole = Files.readAllBytes(folder.resolve("a.lvl"));
    Files.write(folder.resolve("cut.lvl"), Arrays.copyOf(whole, 200));
    byte[] altered = whole.clone();
    altered[altered.length / 2] ^= 1;
    Files.write(folder.resolve("altered.lvl"), altered);
    byte[] newer = whole.clone();
    newer[8] = 9;
    Files.write(folder.resolve("newer.lvl"), newer);
  }

  /// Models of two coordinates, polygons and rasters.
  private static void writeMaps(Trial trial) throws IOException {
    StringBuilder rows = new StringBuilder("x,y,v\n");
    for (int i = 0; i < 25; i++)
      rows.append("%s,%s,%s\n".formatted(i % 5 / 4.0, i / 5 / 4.0, Math.sin(i)));
    trial.write("xy.csv", rows.toString());
    trial.write("utm.csv", rows.toString().replace("x,y", "east,north"));
    trial.write("nan.csv", "x,y,v\n0,0,1\n0.5,nan,2\n1,1,3\n");
    String fit =
        " --target v --engine exact --no-train --set lengthscale=1 --set outputscale=1"
            + " --set noise=0.1 --set mean=0 --model @";
    trial.ok("fit @xy.csv" + fit + "m2.lvl");
    trial.ok("fit @utm.csv --crs EPSG:32632" + fit + "utm.lvl");
    String polygon = "{\"type\": \"%s\", \"coordinates\": %s}";
    trial.write(
        "square.geojson", polygon.formatted("Polygon", "[[[0,0],[1,0],[1,1],[0,1],[0,0]]]"));
    trial.write("line.geojson", polygon.formatted("LineString", "[[0,0],[1,0]]"));
    trial.write("nan.geojson", polygon.formatted("Polygon", "[[[0,0],[NaN,0],[1,1],[0,0]]]"));
    trial.write("empty.geojson", "");
    trial.write("empty.tif", "");
    var frame = new Frame(9, 49, 0.1, 0.1, 10, 10, Optional.of(Crs.parse("EPSG:4326")));
    try (var writer = RasterWriter.create(folder.resolve("lonlat.tif"), frame, List.of("height"))) {
      writer.write(0, 0, new float[1][RasterWriter.TILE * RasterWriter.TILE]);
    }
    byte[] whole = Files.readAllBytes(folder.resolve("lonlat.tif"));
    Files.write(folder.resolve("short.tif"), Arrays.copyOf(whole, whole.length - 40));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          fit @no.csv --target y --model @m.lvl    | there is no file '@no.csv'
          fit @dir --target y --model @m.lvl       | '@dir' is a folder; name a file in it, or all with '@dir/*.csv'
          fit @none*.csv --target y --model @m.lvl | no file matches '@none*.csv'
          fit @empty.csv --target y --model @m.lvl | '@empty.csv' is empty; it needs a line of column names and rows below it
          fit @norows.csv --target y --model @m.lvl | '@norows.csv' has names of columns (x, y) and no rows; add rows below them
          fit @nonames.csv --target y --model @m.lvl | '@nonames.csv' begins with numbers, 1, 2; its first line must name the columns
          fit @ragged.csv --target y --model @m.lvl | '@ragged.csv', row 2 has 3 values, and the first line names 2 columns; correct the row, or put a value that holds ',' in quotes
          fit @latin.csv --target y --model @m.lvl | '@latin.csv', line 1: byte 0xfc is not text in UTF-8; save the table as CSV in UTF-8
          fit @bytes.csv --target y --model @m.lvl | '@bytes.csv', line 2: byte 0x00 is not text in UTF-8
          fit @single.csv --target y --model @m.lvl | there is 1 row, and parameters cannot be learned from one; add rows
          fit @farx.csv --target y --model @m.lvl  | column 'x' holds 1.0E300, and numbers beyond 1.0E100 overflow when they are squared; use a larger unit
          fit @fary.csv --target y --model @m.lvl  | target 'y' holds -1.0E300, and numbers beyond 1.0E100 overflow when they are squared; use a larger unit
          fit @twice.csv --target y --model @m.lvl | '@twice.csv' has two columns named 'x'; rename one
          fit @text.csv --target y --model @m.lvl  | column 'y' of '@text.csv' holds text (row 2: 'oops'), the target must be a column of numbers; choose another or correct it
          fit @gap.csv --target y --model @m.lvl   | row 2 of '@gap.csv': column 'x' has no value; correct or drop the row, or pass --missing skip
          fit @const.csv --target y --model @m.lvl | target 'y' is constant (5.0 in all 2 rows), there is nothing to learn; choose another target
          fit @constx.csv --target y --model @m.lvl | every input is constant in all 3 rows (x = 1.0), there is nothing to learn from; choose inputs that vary
          fit @neg.csv --target y --transform log --model @m.lvl | row 2 (data rows count from 1): target 'y' is -5.0, the log transform needs values > 0; use transform none, shift the target, or drop the row
          fit @names.csv --target y --model @m.lvl | '@names.csv' has no column of numbers, dates or words beside 'y' to learn from; it has name (text), y (number)
          fit @weights.csv --target y --inputs x --weights w --model @m.lvl | row 2 of '@weights.csv': column 'w' of --weights is -1; a weight must be finite and > 0; correct or drop the row
          fit @half.json --target y --model @m.lvl | '@half.json' cannot be read: Invalid Input Error: Malformed JSON
          fit @a.csv --target yy --model @m.lvl    | '@a.csv' has no column 'yy', did you mean 'y'? It has x, y
          fit @a.csv --target y --seed x --model @m.lvl | --seed must be a whole number, got 'x'
          fit @a.csv --target y --tolerance much --model @m.lvl | --tolerance must be a number, got 'much'
          fit @a.csv --target y --engine magic --model @m.lvl | --engine must be one of auto, spectral, markov, sparse, krylov, dense, exact, chain, sites, neighbours, got 'magic'
          fit @a.csv --target y                    | --model FILE is missing; add it
          predict @no.lvl @a.csv                   | there is no model '@no.lvl'; make one with 'lovelace fit … --model FILE'
          predict @a.csv @a.csv                    | '@a.csv' is not a Lovelace model; fit one and save it
          predict @cut.lvl @a.csv                  | '@cut.lvl' is damaged: it ends after 200 of
          predict @altered.lvl @a.csv              | ; copy the file again or fit the model again
          predict @newer.lvl @a.csv                | '@newer.lvl' has format version 9, this program reads up to 3; use a newer Lovelace
          predict @a.lvl @clash.csv                | '@clash.csv' already has a column 'mean', and the result adds one with that name; rename yours first
          predict @a.lvl @names.csv                | '@names.csv' has no column 'x'; it has name, y
          predict @a.lvl @a.csv --out @p.xls       | result '@p.xls' must end in .csv, .tsv, .parquet or .json
          predict @a.lvl @a.csv --interval 1.5     | --interval must lie between 0 and 1, got 1.5; 0.95 is usual
          predict @a.lvl                           | name a TABLE, or say what to read with --sql
          sample @a.lvl @a.csv --draws 0           | --draws must lie between 1 and 100,000, got 0
          sample @a.lvl @a.csv --draws 2000000000  | --draws must lie between 1 and 100,000, got 2000000000
          sample @a.lvl @a.csv --draws 2 --method magic | --method must be one of auto, love, pathwise, spectral, markov, got 'magic'
          evaluate @a.lvl @notarget.csv            | '@notarget.csv' has no column 'y'; it has x, z
          evaluate @log.lvl @neg.csv               | row 2 of '@neg.csv': target 'y' is -5.0, the model's log transform needs values > 0; correct or drop the row
          evaluate @a.lvl @a.csv --plot @x.pdf     | picture '@x.pdf' must end in .png, .svg or .html, which says what to write
          plot @a.lvl --out @x.gif                 | picture '@x.gif' must end in .png, .svg or .html, which says what to write
          plot @a.lvl --out @no/x.png              | to write 'x.png' in
          plot @a.lvl --what calibration --out @x.png | --what calibration needs a TABLE of rows with 'y' to compare with; name it after the model
          plot @a.lvl --what trace --out @x.png    | the model's parameters were not learned, so there is no trace; fit without --no-train
          plot @a.lvl --what beauty --out @x.png   | --what must be one of posterior, columns, features, trace, calibration, got 'beauty'
          plot @a.lvl --draws 1000 --out @x.png    | --draws must lie between 0 and 100, got 1000; 3 show how functions vary
          plot @a.lvl @a.csv @b.csv --out @x.png   | unexpected argument '@b.csv'
          update @a.lvl @far.csv --model @m.lvl      | row 1: column 'x' is 50, outside the grid, which covers 0 to 6; widen the grid's range or skip rows outside it
          update @a.lvl @b.csv --forget --model @m.lvl | subtract only what was added
          update @a.lvl @a.csv --forget --model @m.lvl | forgetting 40 rows leaves none; a model needs at least one
          update @a.lvl @b.csv                     | --model FILE is missing; add it
          evaluate @a.lvl --sql 'select * from nothing' | '--sql' cannot be read: Catalog Error: Table with name nothing does not exist
          merge @a.lvl --model @m.lvl                | merge needs two models or more, got only '@a.lvl'; name the others too
          merge @a.lvl @a.lvl --model @m.lvl         | '@a.lvl' is named twice, so its rows would count twice; name it once
          merge @a.lvl @wide.lvl --model @m.lvl      | ; fit both with the same grid and bounds to merge them
          merge @a.lvl @rough.lvl --model @m.lvl     | '@a.lvl' and '@rough.lvl' have different kernels
          merge @a.lvl @log.lvl --model @m.lvl       | '@a.lvl' and '@log.lvl' have different transforms, none and log; fit both the same way to merge them
          compare @a.csv --target y --kernels rbf,,sm | --kernels has an empty kernel in 'rbf,,sm'; write rbf,matern52
          compare @a.csv --target y --kernels wobbly | no kernel is called 'wobbly'; there are rbf, matern12
          compare @a.csv --target y --kernels rbf,rbf | --kernels names a kernel twice: rbf, rbf; name each once
          compare @a.csv --target y --folds 1      | --folds must be 2 or more, got 1; 5 is usual
          compare @a.csv --target y --folds 41     | --folds must be at most the number of rows, 40, got 41
          inspect @dir                             | '@dir' is a folder; name a model file
          demo --out @a.csv                        | --out '@a.csv' is a file; name a folder
          bench cases @dir                         | there is no folder with a case.json in '@dir'
          reproduce airlines --fail-on-red --out @dir | there is no experiment 'airlines'; there are airline, variances, samples, iterations, maxvalue, complexity and all
          reproduce samples --points 7 --out @dir  | the points of a sample must be 100 to 20,000, got 7
          reproduce airline --out @a.csv           | --out '@a.csv' is a file; name a folder
          reproduce --data @no --out @dir          | is not a folder; name one with a folder for each set
          reproduce --data @dir --out @dir         | has no airfoil, skillcraft, parkinsons, pol, elevators, kin40k, protein
          map @m2.lvl --out @m.tif --extent NaN,0,1,1 | --extent: 'NaN' is not a number; write west,south,east,north
          map @m2.lvl --out @m.tif --extent 1,0,0,1 | --extent: an extent is west,south,east,north with west < east and south < north, got 1.0,0.0,0.0,1.0
          map @m2.lvl --out @m.tif --resolution 0  | --resolution must be one or two numbers > 0, got '0'; write 0.01
          map @m2.lvl --out @m.tif --resolution 1e-7 | the map would have 10,000,000 by 10,000,000 pixels, at most 1,000,000 a side; give a coarser resolution
          map @m2.lvl --out @m.tif --extent 0,0,1,1 --resolution 1e-6 | a map of 1,000,000 × 1,000,000 pixels, 2 bands
          map @m2.lvl --out @m.tif --extent 0,0,1,1 --resolution 1e-6 | ; give a coarser --resolution, a smaller --extent or fewer bands
          map @m2.lvl --out @m.tif --mask @no.tif  | --mask: there is no file '@no.tif'; name a raster, or polygons as .geojson
          map @m2.lvl --out @m.tif --mask @short.tif | the raster '@short.tif' cannot be used: it is cut short: 103 bytes from byte
          map @m2.lvl --out @m.tif --mask @short.tif | ; fetch it again
          map @m2.lvl --out @m.tif --mask @empty.tif | the raster '@empty.tif' cannot be used: it is cut short
          map @m2.lvl --out @m.tif --mask @a.csv   | the raster '@a.csv' cannot be used: it is not a TIFF; give a GeoTIFF
          map @m2.lvl --out @m.tif --mask @empty.geojson | '@empty.geojson', the file: the object has no 'type' of GeoJSON; give a Polygon
          map @utm.lvl --out @m.tif --mask @lonlat.tif | it covers 9 to 10, 48 to 49 in EPSG:4326, but the map covers 0 to 1, 0 to 1 in EPSG:32632; give a raster of this place
          map @m2.lvl --out @m.tif --like @short.tif | the raster '@short.tif' cannot be used: it is cut short
          map @m2.lvl --out @m.tif --like @no.tif  | --like: there is no raster '@no.tif'
          map @m2.lvl --out @m.tif --crs EPSG:99999 | --crs: the coordinate system 'EPSG:99999' is not known by its code; give its WKT
          map @m2.lvl --out @m.tif --exceeds NaN   | --exceeds: a threshold must be a finite number, got NaN
          map @m2.lvl --out @m.tif --drift q=@lonlat.tif | the model has no column 'q'; its columns are x, y
          map @m2.lvl --out @m.tif --drift q=@no.tif | --drift q=@no.tif: there is no raster '@no.tif'
          map @empty.csv --target v --out @m.tif   | '@empty.csv' is empty; it needs a line of column names and rows below it
          map @nan.csv --target v --out @m.tif     | row 2 of '@nan.csv': column 'y' has no value; correct or drop the row
          map @xy.csv --target v --inputs x,q --out @m.tif | --inputs: '@xy.csv' has no column 'q'; it has x, y, v
          map @a.lvl --out @m.tif                  | a map needs two coordinates, but the model's inputs are x; fit a model of two columns of numbers
          areas @m2.lvl @no.geojson --out @m.csv   | there is no file '@no.geojson'; name a GeoJSON file
          areas @m2.lvl @empty.geojson --out @m.csv | '@empty.geojson', the file: the object has no 'type' of GeoJSON; give a Polygon
          areas @m2.lvl @a.csv --out @m.csv        | '@a.csv' is not GeoJSON: line 1
          areas @m2.lvl @line.geojson --out @m.csv | a LineString has no area; give a Polygon or a MultiPolygon, or remove it
          areas @m2.lvl @nan.geojson --out @m.csv  | '@nan.geojson' is not GeoJSON: line 1
          areas @m2.lvl @square.geojson --weights @no.tif --out @m.csv | there is no file '@no.tif'
          areas @m2.lvl @square.geojson --weights @short.tif --out @m.csv | --weights: the raster '@short.tif' cannot be used: it is cut short
          areas @m2.lvl @square.geojson --resolution 0 --out @m.csv | --resolution must be > 0, got 0.0
          areas @m2.lvl @square.geojson --resolution 1e-9 --out @m.csv | cells of 1.0E-9 are too small for a polygon of 1.000 by 1.000; make them larger
          areas @m2.lvl @xy.csv --by q --out @m.csv | --by: '@xy.csv' has no column 'q'; it has x, y, v
          areas @a.lvl @square.geojson --out @m.csv | polygons need two columns of coordinates, and the model has only 'x'
          diagnose @m2.lvl @empty.csv --out @d     | '@empty.csv' is empty; it needs a line of column names and rows below it
          diagnose @m2.lvl @nan.csv --out @d       | row 2 of '@nan.csv': column 'y' has no value; correct or drop the row
          diagnose @m2.lvl @a.csv --out @d         | '@a.csv' has no column 'v'; it has x, y
          diagnose @no.lvl @xy.csv --out @d        | there is no model '@no.lvl'; make one with
          diagnose @m2.lvl @xy.csv --out @a.csv    | --out '@a.csv' is a file; name a folder
          explain @a.lvl                           | unknown command 'explain'
          fit @a.csv --target y --threads -2 --model @m.lvl | --threads must lie between 1 and 1,024, got -2; leave it out for one per core
          """)
  void isAnsweredWithPlaceValueRuleAndRemedy(String line, String message) throws IOException {
    Trial trial = new Trial(folder);
    String said = trial.refused(line);
    assertTrue(said.contains(message), () -> line + "\n" + said);
    assertTrue(said.startsWith("lovelace: "), said);
    assertFalse(said.contains("Exception"), said);
    for (String name : List.of("m.lvl", "m.tif", "m.csv"))
      assertFalse(Files.exists(folder.resolve(name)), "no file is left");
    try (var files = Files.list(folder)) {
      List<String> hidden =
          files.map(f -> f.getFileName().toString()).filter(f -> f.startsWith(".")).toList();
      assertEquals(List.of(), hidden);
    }
  }
}
