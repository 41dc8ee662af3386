SplittableRandom random = new SplittableRandom(1);
double[] x = random.doubles(240).map(u -> Math.exp(4 * u)).toArray();
double[] y = new double[60];
for (int i = 0; i < 60; i++) y[i] = Math.log(x[4 * i]) + x[4 * i + 1] / 50;
Dataset rows = Dataset.of(x, 4, y);
