package lovelace;

import java.util.List;
import java.util.regex.Pattern;

/// The laws, asked of every way and every wrapper.
class WayLawsTest extends WayLaws {

  /// Where the first rows decide the grid, the plane or the ranks, more rows are another model.
  private static final Pattern OWN =
      Pattern.compile(
          ".*/(ranks|projection-learned)|(spectral|sparse|dense|sites)/(geographic|turned).*"
              + "|(spectral-line|markov|chain)/(geographic|turned|projected).*");

  /// Takes seconds.
  private static final Pattern SLOW =
      Pattern.compile(
          "krylov/(plain|drift)|(spectral|sparse|dense|sites)/(gaussian.noise=varying.*|student-t.*)"
              + "|spectral/(negative-binomial|bernoulli|binomial|gamma).*");

  /// A fit with a drift begins with the residuals of least squares, and one of a table with nearest
  /// rows; on a lattice a linear mean begins at its rows. What they learn is about as likely.
  private static final Pattern BEGINS =
      Pattern.compile(".*drift.*|.*/(wide|words).*|(spectral|sparse|markov|dense)/mean-linear");

  @Override
  protected List<SmallCase> cases() {
    return SmallCases.all().stream()
        .filter(one -> !OWN.matcher(one.name()).matches() && !SLOW.matcher(one.name()).matches())
        .toList();
  }

  @Override
  protected boolean applies(SmallCase one, Law law) {
    boolean more = law == Law.WITH || law == Law.MERGED;
    // the fingerprint is of the places on a plane, which the first rows decide
    if (more && one.name().endsWith("/geographic-poisson")) return false;
    return law != Law.LEARNED || !BEGINS.matcher(one.name()).matches();
  }

  @Override
  protected double slack(SmallCase one, Law law) {
    boolean plane = one.name().contains("/geographic"); // the centre of the rows decides it
    if (plane && (law == Law.WITH || law == Law.MERGED)) return 1e-5;
    return super.slack(one, law);
  }

  @Override
  protected Refusals refusals() {
    return REFUSED;
  }

  /// May only shrink.
  private static final Refusals REFUSED =
      Refusals.of(
          """
          the spectral engine cannot represent
            fit spectral/kernel-sum spectral/kernel-linear
          5 inputs are too many for one grid, and training is off
            fit spectral/wide spectral/wide-poisson spectral/wide-words
          column 'rock' holds words, which have no place on a grid
            fit spectral/words markov/words sparse/words dense/words chain/words sites/words
            fit chain/wide-words sites/wide-words
          the kernel needs too many modes on the
            fit krylov/additive-poisson auto/intensity
          the markov engine serves one Matérn kernel in one dimension
            fit markov/kernel-sum markov/kernel-product markov/kernel-linear markov/additive
            fit markov/additive-poisson
          the chain engine serves one Matérn kernel in one dimension
            fit chain/kernel-sum chain/kernel-product chain/kernel-linear chain/additive
            fit chain/additive-poisson chain/wide chain/wide-poisson
          the sparse engine takes sums and products of stationary kernels
            fit sparse/kernel-linear
          the sites engine takes sums and products of stationary kernels
            fit sites/kernel-linear
          the sparse engine needs one grid over at most three inputs
            fit sparse/additive sparse/additive-poisson
          the sites engine takes at most 3 inputs
            fit sites/additive sites/additive-poisson sites/wide sites/wide-poisson
          the intensity of events is computed on a lattice, and engine
            fit exact/intensity chain/intensity sites/intensity neighbours/intensity
          the exact engine under the poisson likelihood cannot read features of columns
            fit exact/map-poisson
          the chain engine under the poisson likelihood cannot read features of columns
            fit chain/map-poisson
          the sites engine under the poisson likelihood cannot read features of columns
            fit sites/map-poisson
          noise that varies cannot be learned from the neighbours of rows
            fit neighbours/gaussian(noise=varying) neighbours/gaussian(noise=varying)-nodes
          the neighbours engine under the poisson likelihood cannot read features of columns
            fit neighbours/map-poisson
          """);
}
