# the launcher and the check of the repository
cp "$(command -v lovelace)" .
printf '#!/bin/sh\nexec sh -n "%s/check"\n' "$ROOT" > check
chmod +x check
