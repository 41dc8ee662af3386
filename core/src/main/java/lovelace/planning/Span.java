package lovelace.planning;

/// The range that one axis must cover, and its margin. Fixed bounds get no margin.
record Span(double low, double high, double margin, double lengthscale, boolean fixed, int points) {

  Span with(double known) {
    return new Span(low, high, margin, known, fixed, points);
  }
}
