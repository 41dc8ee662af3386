awk 'BEGIN {
  srand(3); print "easting,northing,level"
  for (i = 0; i < 120; i++) { e = 400000 + 5e4 * rand(); n = 5600000 + 5e4 * rand(); print e "," n "," 80 + 5 * sin(e / 8e3) + rand() }
}' > wells.csv
