package lovelace.inference;

/// What an evaluation leaves for the next one: the modes it chose, the solution it found. It makes
/// the next evaluation cheaper and has a say in its last digits, so it is passed on explicitly: the
/// same start gives the same bits, whatever an engine was asked before.
///
/// Immutable. It is of use to the engine that made it alone; to any other it is [#NONE].
public interface WarmStart {

  /// Nothing to start from.
  WarmStart NONE = new WarmStart() {};
}
