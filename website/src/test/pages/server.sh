awk 'BEGIN { srand(2); print "x,y"; for (i = 0; i < 60; i++) { x = 10 * rand(); print x "," sin(x) + rand() / 5 } }' > line.csv
lovelace fit line.csv --target y --model line.lvl
lovelace serve line.lvl --allow-updates
