package lovelace.cli;

import java.io.IOException;
import lovelace.forecast.Forecast;

/// Receives every series of a table with its forecast.
interface ForecastSink {

  void add(PlacedSeries series, Forecast forecast) throws IOException;
}
