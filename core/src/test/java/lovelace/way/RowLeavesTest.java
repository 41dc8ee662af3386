package lovelace.way;

import org.junit.jupiter.api.Nested;

/// Every engine on rows under the laws.
class RowLeavesTest {

  @Nested
  class Exact extends RowLeafLaws {
    @Override
    RowLeaf leaf() {
      return new ExactLeaf();
    }
  }

  @Nested
  class Chain extends RowLeafLaws {
    @Override
    RowLeaf leaf() {
      return new ChainLeaf();
    }
  }

  @Nested
  class Sites extends RowLeafLaws {
    @Override
    RowLeaf leaf() {
      return new SitesLeaf(0);
    }

    /// The order of rows decides which sites are neighbours.
    @Override
    double rounding() {
      return 1e-2;
    }
  }

  @Nested
  class Nearest extends RowLeafLaws {
    @Override
    RowLeaf leaf() {
      return new NearestLeaf(30);
    }

    /// The order of rows decides which of them are earlier ones.
    @Override
    double rounding() {
      return 1e-2;
    }
  }
}
