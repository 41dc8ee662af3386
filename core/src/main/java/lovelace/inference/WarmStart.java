package lovelace.inference;

/// The state that an evaluation passes to the next one, such as the modes it chose or the solution
/// it found. It makes the next evaluation cheaper and affects its last digits. So callers pass it
/// explicitly, and the same start gives the same bits, whatever the engine computed before.
///
/// Immutable. Only the engine that made it can use it; any other treats it as [#NONE].
public interface WarmStart {

  /// Nothing to start from.
  WarmStart NONE = new WarmStart() {};
}
