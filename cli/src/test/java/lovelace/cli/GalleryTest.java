package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The output that docs/gallery.md shows.
class GalleryTest {

  @Test
  void everyPictureIsSmallAndHasTheCommandThatMadeIt() throws Exception {
    String page = Files.readString(Path.of("../docs/gallery.md"));
    int chapters = 0;
    for (String chapter : page.split("(?m)^## ", -1)) {
      Matcher picture = Pattern.compile("\\]\\((images/[^)]+)\\)").matcher(chapter);
      int pictures = 0;
      while (picture.find()) {
        long size = Files.size(Path.of("../docs", picture.group(1)));
        assertTrue(size <= 150_000, picture.group(1) + ": " + size);
        pictures++;
      }
      if (chapters++ == 0) continue; // before the first chapter
      assertTrue(pictures > 0 && chapter.contains("\nlovelace "), chapter);
    }
    assertEquals(14, chapters);
  }
}
