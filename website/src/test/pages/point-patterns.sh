awk 'BEGIN { srand(5); print "day"; for (i = 0; i < 150; i++) printf "2024-%02d-%02d\n", 1 + int(12 * rand()), 1 + int(28 * rand()) }' > events.csv
awk 'BEGIN { print "day"; for (m = 1; m <= 12; m++) printf "2024-%02d-15\n", m }' > days.csv
