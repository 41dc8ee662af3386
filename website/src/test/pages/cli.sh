awk 'BEGIN { srand(4); print "day,price"; for (i = 1; i <= 60; i++) printf "2024-%02d-%02d,%.2f\n", 1 + int((i - 1) / 28), 1 + (i - 1) % 28, 10 + sin(i / 9) + rand() }' > sales.csv
awk -F, 'NR == 1 { print "day,rain"; next } { srand(NR); print $1 "," 5 * rand() }' sales.csv > weather.csv
lovelace fit sales.csv --target price --model first.lvl
lovelace predict first.lvl sales.csv --out sales.parquet
