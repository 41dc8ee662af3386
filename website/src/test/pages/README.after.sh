[ "$(wc -l < forecast.csv)" = 49 ]
[ "$(wc -c < air.html)" -gt 1000000 ]
lovelace inspect air.lvl --json | grep '"rows": 144'
