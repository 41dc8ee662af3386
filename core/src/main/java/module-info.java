/// Gaussian processes: kernels, grids, inference, posteriors.
module lovelace.core {
  requires static org.jspecify;
  requires JTransforms;
  requires JLargeArrays;

  exports lovelace;
  exports lovelace.bayesopt;
  exports lovelace.budget;
  exports lovelace.data;
  exports lovelace.forecast;
  exports lovelace.forecast.time;
  exports lovelace.kernel;
  exports lovelace.likelihood;
  exports lovelace.model;
  exports lovelace.online;
  exports lovelace.optimize;
  exports lovelace.options;
  exports lovelace.plan;
  exports lovelace.posterior;
  exports lovelace.source;

  uses lovelace.data.FeatureMap.Reader;
  uses lovelace.kernel.KernelFunction;
}
