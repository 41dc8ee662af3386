printf '#!/bin/sh\nawk -v x="$1" -v y="$2" "BEGIN { print (x - 0.3) ^ 2 + y }"\n' > run.sh
chmod +x run.sh
printf '{"x": {"type": "real", "low": 1e-4, "high": 1, "log": true}, "y": {"type": "integer", "low": 1, "high": 12}}' > space.json
