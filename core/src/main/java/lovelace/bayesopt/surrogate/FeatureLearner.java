package lovelace.bayesopt.surrogate;

import lovelace.data.Dataset;
import lovelace.data.FeatureMap;

/// Learns features of the search space, such as those of a network, in which a surrogate works. It
/// is called whenever hyperparameters are learned again, with inputs in the unit cube and
/// standardised targets. The same data must give the same map, so that a run can be resumed.
@FunctionalInterface
public interface FeatureLearner {

  FeatureMap learn(Dataset data);
}
