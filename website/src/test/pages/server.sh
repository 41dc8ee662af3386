awk 'BEGIN { srand(2); print "x,y"; for (i = 0; i < 60; i++) { x = 10 * rand(); print x "," sin(x) + rand() / 5 } }' > line.csv
lovelace fit line.csv --target y --model line.lvl
awk 'BEGIN { print "shop,month,sold"; for (s = 1; s <= 3; s++) for (t = 0; t < 31; t++) printf "shop %d,%d-%02d-01,%.1f\n", s, 2021 + int(t / 12), t % 12 + 1, 100 + 20 * s + t + 4 * sin(s * 12.9 + t * t * 7.7) }' > sales.csv
lovelace forecast sales.csv --horizon 4 --model sales.lvf
lovelace serve line.lvl sales.lvf --allow-updates
