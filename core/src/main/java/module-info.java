/// Gaussian processes: kernels, grids, inference, posteriors.
module lovelace.core {
  requires static org.jspecify;
  requires JTransforms;
  requires JLargeArrays;

  exports lovelace;
  exports lovelace.baseline;
  exports lovelace.bayesopt;
  exports lovelace.budget;
  exports lovelace.data;
  exports lovelace.grid;
  exports lovelace.inference;
  exports lovelace.io;
  exports lovelace.kernel;
  exports lovelace.krylov;
  exports lovelace.learning;
  exports lovelace.linear;
  exports lovelace.markov;
  exports lovelace.model;
  exports lovelace.optimize;
  exports lovelace.plan;
  exports lovelace.posterior;

  uses lovelace.data.FeatureMap.Reader;
  uses lovelace.kernel.KernelFunction;
}
