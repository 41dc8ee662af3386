# what answered was the archive
[ -z "$LONG" ] || { [ -L .local/bin/lovelace ] && [ -f deep.lvl ]; }
