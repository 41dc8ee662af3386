for name in stations places; do
  awk -v seed=${#name} 'BEGIN {
    srand(seed); print "x,y,elevation,distance_to_sea,temperature"
    for (i = 0; i < 80; i++) {
      x = 9.2 + 2 * rand(); y = 43.8 + 2 * rand(); e = 1000 * rand(); d = 90 * rand()
      print x "," y "," e "," d "," 14 - 0.0065 * e - 0.02 * d + sin(3 * x) + rand() / 5
    }
  }' > $name.csv
done
for name in stations:towns places:villages; do
  cut -d, -f1,2,4,5 "${name%:*}.csv" | sed '1s/x,y/lon,lat/' > "${name#*:}.csv"
done
