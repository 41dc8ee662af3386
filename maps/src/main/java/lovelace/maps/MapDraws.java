package lovelace.maps;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.SampledFunction;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;

/// Functions drawn from a posterior, at the pixels of a map. On a lattice a draw is a function that
/// can be evaluated anywhere, so a map of any size is drawn tile by tile. Other models draw all
/// pixels together, which needs memory.
abstract sealed class MapDraws {

  /// The draws of a map. Without a band that needs draws, there are none.
  static MapDraws of(MapJob job) {
    int count = (int) job.asked().bands().stream().filter(MapBand.Draw.class::isInstance).count();
    if (count == 0) return new None();
    Model model = job.model();
    Likelihood likelihood = model.likelihood();
    if (likelihood.isVarying() && job.asked().of() == Of.OBSERVATION)
      throw new IllegalArgumentException(
          "draws of observations under noise that varies need a draw of the noise as well; leave out --of observation");
    if (model.lattice().isPresent() && model.drift().isEmpty())
      return new Functions(job, model.lattice().orElseThrow(), count);
    return new Together(job, count);
  }

  /// The values of a draw at some points. These are pixels of a rectangle that begins at a column
  /// and row.
  abstract double[] at(
      MapBand.Draw draw, int time, double[] points, int[] places, int column, int row, int width);

  private static final class None extends MapDraws {
    @Override
    double[] at(
        MapBand.Draw draw,
        int time,
        double[] points,
        int[] places,
        int column,
        int row,
        int width) {
      throw new IllegalStateException("no draws were asked for");
    }
  }

  /// Functions on a lattice. Beyond it they have no values.
  private static final class Functions extends MapDraws {
    private final MapJob job;
    private final List<SampledFunction> functions;

    Functions(MapJob job, LatticePosterior lattice, int count) {
      this.job = job;
      functions = lattice.sampler().functions(count, new SplittableRandom(job.asked().seed()));
    }

    @Override
    double[] at(
        MapBand.Draw draw,
        int time,
        double[] points,
        int[] places,
        int column,
        int row,
        int width) {
      SampledFunction f = functions.get(draw.number() - 1);
      Model model = job.model();
      double[] features = model.features(points);
      int d = f.dimensions();
      double[] values = new double[places.length];
      Of of = job.asked().of();
      Likelihood likelihood = model.likelihood();
      boolean latent = of == Of.FUNCTION;
      boolean gaussian = likelihood.isGaussian();
      double sigma = gaussian && !latent ? Math.sqrt(model.noise()) : 0;
      Likelihood.Law law = gaussian ? null : likelihood.law(of, 1);
      for (int i = 0; i < values.length; i++) {
        if (!f.covers(features, i * d)) {
          values[i] = Double.NaN;
          continue;
        }
        double value = f.pointwise(features, i * d);
        if (!latent) {
          SplittableRandom random =
              job.random(draw.number(), time, column + places[i] % width, row + places[i] / width);
          value = law == null ? value + sigma * random.nextGaussian() : law.draw(value, random);
        }
        values[i] = model.transform().invert(value);
      }
      return values;
    }
  }

  /// Draws all pixels at once.
  private static final class Together extends MapDraws {
    private final int across;
    private final int[] index; // of each pixel among those drawn, −1 for none
    private final int size;
    private final int times;
    private final double[] values;

    Together(MapJob job, int count) {
      Frame frame = job.frame();
      across = frame.width();
      times = job.asked().times().size();
      long pixels = (long) frame.width() * frame.height() * times;
      long most = Runtime.getRuntime().maxMemory();
      Model model = job.model();
      int d = model.columns().size();
      if (pixels * (count + 2L * d) * 8 > most / 2 || pixels * Math.max(count, d) > 1 << 30)
        throw tooMany(pixels, pixels * (count + 2L * d) * 8, most);
      MapJob.Points all = job.points(0, 0, frame.width(), frame.height(), false);
      size = all.places().length;
      index = new int[frame.width() * frame.height()];
      Arrays.fill(index, -1);
      for (int i = 0; i < size; i++) index[all.places()[i]] = i;
      double[] points = new double[size * times * d];
      for (int t = 0; t < times; t++)
        System.arraycopy(job.timed(all.columns(), t), 0, points, t * size * d, size * d);
      long bytes = model.jointBytes(points);
      if (bytes > most / 2) throw tooMany(pixels, bytes, most);
      values =
          model.sample(
              points,
              count,
              job.asked().of(),
              new double[0],
              new SplittableRandom(job.asked().seed()));
    }

    private static IllegalArgumentException tooMany(long pixels, long bytes, long most) {
      // covariances and their factors take three numbers for each pair of pixels
      double fit = Math.min(pixels * Math.sqrt(most / 2.0 / bytes), Math.sqrt(most / 2.0 / 26));
      return new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "draws of a model that holds its rows are joint over all pixels: %,d of them need %,d MB of memory, but there are %,d; about %,.0f pixels fit: give a --resolution %.0f times as coarse, or a smaller --extent",
              pixels,
              bytes >> 20,
              (most / 2) >> 20,
              fit,
              Math.ceil(Math.sqrt(pixels / fit))));
    }

    @Override
    double[] at(
        MapBand.Draw draw,
        int time,
        double[] points,
        int[] places,
        int column,
        int row,
        int width) {
      double[] own = new double[places.length];
      int start = (draw.number() - 1) * size * times + time * size;
      for (int i = 0; i < own.length; i++) {
        int pixel = (row + places[i] / width) * across + column + places[i] % width;
        own[i] = values[start + index[pixel]];
      }
      return own;
    }
  }
}
