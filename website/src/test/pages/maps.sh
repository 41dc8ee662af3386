# a small map with a gap
mkdir heaton
for part in train test; do
  awk -v part=$part 'BEGIN { srand(5); print "east,north,warmth"; for (i = 0; i < 12; i++) for (j = 0; j < 9; j++) {
    gap = i > 4 && i < 8 && j > 2 && j < 6; noise = rand()
    if (gap == (part == "test")) print i "," j "," 20 + 3 * sin(i / 2) + 2 * cos(0.6 * j) + 0.4 * noise } }' | gzip > heaton/$part.csv.gz
done
# stations and wells
awk 'BEGIN { srand(2); print "lon,lat,temperature"; for (i = 0; i < 80; i++) { x = rand(); y = rand(); print 8 + x "," 46 + y "," 12 - 5 * y + sin(7 * x) + 0.3 * rand() } }' > stations.csv
awk -F, -v OFS=, 'NR == 1 { print "well", $1, $2, "value"; next } { print NR, $0 }' stations.csv > wells.csv
