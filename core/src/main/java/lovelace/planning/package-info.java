/// Decides how a model is computed, and estimates its costs.
@org.jspecify.annotations.NullMarked
package lovelace.planning;
