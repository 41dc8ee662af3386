/// Gaussian processes: kernels, grids, inference, posteriors.
module lovelace.core {
  requires static org.jspecify;
  requires JTransforms;
  requires JLargeArrays;

  exports lovelace;
  exports lovelace.bayesopt;
  exports lovelace.budget;
  exports lovelace.data;
  exports lovelace.kernel;
  exports lovelace.likelihood;
  exports lovelace.model;
  exports lovelace.online;
  exports lovelace.optimize;
  exports lovelace.plan;
  exports lovelace.posterior;

  uses lovelace.data.FeatureMap.Reader;
  uses lovelace.kernel.KernelFunction;
}
