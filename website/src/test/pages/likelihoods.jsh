Dataset data = Dataset.of(new double[] {1, 2, 3, 4, 5, 6}, 1, new double[] {3, 1, 4, 1, 5, 9});
double[] hours = {4, 6, 8, 4, 6, 8};
double[] points = {2.5, 3.5};
double[] sizes = {8, 8};
