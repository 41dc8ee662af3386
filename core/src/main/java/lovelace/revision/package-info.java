/// Makes models from models, without their old data: with more or fewer rows, from several models,
/// or with other parameters.
@org.jspecify.annotations.NullMarked
package lovelace.revision;
