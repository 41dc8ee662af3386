awk 'BEGIN { srand(4); print "day,price"; for (i = 1; i <= 60; i++) printf "2024-%02d-%02d,%.2f\n", 1 + int((i - 1) / 28), 1 + (i - 1) % 28, 10 + sin(i / 9) + rand() }' > sales.csv
awk -F, 'NR == 1 { print "day,rain"; next } { srand(NR); print $1 "," 5 * rand() }' sales.csv > weather.csv
lovelace fit sales.csv --target price --model first.lvl
lovelace predict first.lvl sales.csv --out sales.parquet
# small data sets for bench
mkdir -p DIR/pol
for part in train test; do
  awk -v part=$part 'BEGIN { srand(5); print "east,north,warmth"; for (i = 0; i < 12; i++) for (j = 0; j < 9; j++) {
    gap = i > 4 && i < 8 && j > 2 && j < 6; noise = rand()
    if (gap == (part == "test")) print i "," j "," 20 + 3 * sin(i / 2) + 2 * cos(0.6 * j) + 0.4 * noise } }' | gzip > DIR/$part.csv.gz
done
awk 'BEGIN { srand(3); for (i = 0; i < 400; i++) { a = rand(); b = rand(); print a "," b "," rand() "," int(4 * rand()) "," 9 * a * b + 0.2 * rand() } }' | gzip > DIR/pol/data.csv.gz
awk 'BEGIN { for (i = 0; i < 400; i++) print (i % 5 == 0) "," (i % 4 == 0) }' | gzip > DIR/pol/test_mask.csv.gz
awk 'BEGIN { srand(6); print "year,count,fold"; for (i = 0; i < 112; i++) print 1851 + i "," int((i < 40 ? 6 : 2) * rand()) "," i % 4 }' | gzip > DIR/coal.csv.gz
awk 'BEGIN { srand(7); print "x1,x2,class,fold"; for (i = 0; i < 200; i++) { a = 4 * rand() - 2; b = 4 * rand() - 2; print a "," b "," (b > a * a - 1) "," i % 4 } }' | gzip > DIR/banana.csv.gz
for part in train test; do
  awk -v part=$part 'BEGIN { print "unique_id,frequency,ds,y"; for (s = 1; s < 5; s++) for (t = 0; t < 44; t++)
    if ((t < 40) == (part == "train")) printf "Q%d,Q,%d-%02d,%.2f\n", s, 1990 + int(t / 4), 1 + 3 * (t % 4), 50 + 9 * s + 5 * cos(1.5708 * t) + sin(s + t * t) }' | gzip > DIR/made_$part.csv.gz
done
