/// Gaussian processes: kernels, grids, inference, posteriors.
module lovelace.core {
  requires static org.jspecify;
  requires JTransforms;
  requires JLargeArrays;

  exports lovelace.kernel;
  exports lovelace.linear;
  exports lovelace.baseline;
  exports lovelace.optimize;
  exports lovelace.grid;
  exports lovelace.data;
  exports lovelace.posterior;
}
