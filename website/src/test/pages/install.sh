# the archives of a release, and a table
[ -n "$LONG" ] || exit 0
(cd "$ROOT" && HOME=$OWN_HOME ./release --archives)
cp "$ROOT"/target/lovelace-*.tar.gz "$ROOT/target/SHA256SUMS" .
mkdir -p .local/bin
awk 'BEGIN { srand(4); print "a,b,y"; for (i = 0; i < 200; i++) { a = rand(); b = rand(); print a "," b "," sin(6 * a) + b } }' > table.csv
