printf 'x,y\n1,2\n2,3\n3,5\n4,4\n5,2\n' > table.csv
lovelace fit table.csv --target y --model model.lvl
