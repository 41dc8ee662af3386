module consumer {
  requires lovelace.core;
}
