package lovelace.bayesopt.surrogate;

import lovelace.data.Dataset;
import lovelace.data.FeatureMap;

/// Learns features of the search space, a network's say, for a surrogate to live in. Called
/// whenever hyperparameters are relearned, with inputs in the unit cube and standardised targets;
/// the same data must give the same map, so that a run can be resumed.
@FunctionalInterface
public interface FeatureLearner {

  FeatureMap learn(Dataset data);
}
