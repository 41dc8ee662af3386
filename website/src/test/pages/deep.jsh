import lovelace.deep.*;
SplittableRandom random = new SplittableRandom(1);
double[] x = random.doubles(400).toArray();
double[] y = new double[100];
for (int i = 0; i < 100; i++) y[i] = Math.sin(6 * x[4 * i] * x[4 * i + 1]) + x[4 * i + 2];
Dataset data = Dataset.of(x, 4, y);
double[] row = {0.1, 0.2, 0.3, 0.4};
