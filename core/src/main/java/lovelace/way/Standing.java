package lovelace.way;

/// A model as its way and its kept data.
public record Standing<K extends Kept<K>>(Way<K> way, K kept) {}
