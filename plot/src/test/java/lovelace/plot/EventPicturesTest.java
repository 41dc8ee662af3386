package lovelace.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.options.GridChoice;
import org.junit.jupiter.api.Test;

/// Pictures of the intensity of events.
class EventPicturesTest {

  private static final int EVENTS = 40;

  private static Dataset events(int d) {
    double[] x = new SplittableRandom(6).doubles((long) EVENTS * d, 0, 3).toArray();
    return Dataset.events(
        x, List.of(Column.of("east", "km"), Column.of("north", "km")).subList(0, d));
  }

  private static Model model(int d) {
    GridChoice window = GridChoice.DEFAULT.withPoints(10);
    for (int j = 0; j < d; j++) window = window.bounded(j, 0, 3);
    double[] lengths = new double[d];
    Arrays.fill(lengths, 1);
    return Fit.DEFAULT
        .withIntensity(true)
        .withGrid(window)
        .withTraining(false)
        .set("lengthscale", lengths)
        .set("outputscale", 1)
        .set("mean", 1)
        .to(events(d));
  }

  @Test
  void eventsAreMarksUnderTheCurve() {
    Picture picture = Pictures.posterior(model(1), events(1), Pictures.Options.DEFAULT);
    String svg = picture.svg();
    assertTrue(svg.contains("intensity of events by east"), svg);
    assertTrue(svg.contains("40 events; bands are of the intensity"), svg);
    assertTrue(svg.contains("events per km"), svg);
  }

  /// Without a table no cell is shown for an event, and the picture ends with the window.
  @Test
  void cellsAreNoEvents() {
    Shown shown = Shown.of(model(2), null);
    assertNull(shown.data());
    assertEquals(0, shown.ranges().get(1)[0]);
    assertEquals(3, shown.ranges().get(1)[1]);
    String svg = Pictures.posterior(model(2), null, Pictures.Options.DEFAULT).svg();
    assertTrue(svg.contains("mean of events per km²"), svg);
    assertTrue(svg.contains("standard deviation of events per km²"), svg);
    assertFalse(svg.contains("rate of"), svg);
  }
}
