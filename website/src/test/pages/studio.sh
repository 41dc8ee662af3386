awk 'BEGIN { srand(2); print "year,co2"; for (i = 0; i < 60; i++) print 1960 + i "," 315 + i + rand() }' > co2.csv
lovelace fit co2.csv --target co2 --model co2.lvl
