/// Features of many columns: the evidence with its gradient in every feature, and linear
/// projections learned from it. Start at [lovelace.features.FeatureEvidence].
@NullMarked
package lovelace.features;

import org.jspecify.annotations.NullMarked;
