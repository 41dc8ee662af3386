for name in table new march; do
  awk -v seed=${#name} 'BEGIN {
    srand(seed); print "a,b,c,d,y"
    for (i = 0; i < 200; i++) { a = rand(); b = rand(); c = rand(); d = rand(); print a "," b "," c "," d "," sin(6 * a * b) + c - d * d + rand() / 10 }
  }' > $name.csv
done
