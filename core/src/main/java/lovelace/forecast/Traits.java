package lovelace.forecast;

import java.util.List;

/// The facts that stay the same in a series, such as its region and the size of its shop.
///
/// @param words in an order that all series share; an empty word is one of its own
/// @param numbers in an order that all series share; NaN where one is not known
public record Traits(List<String> words, List<Double> numbers) {

  public Traits {
    words = List.copyOf(words);
    numbers = List.copyOf(numbers);
  }
}
