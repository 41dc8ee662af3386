import lovelace.grid.*;
Grid grid = Grid.of(Axis.covering(0, 10, 100));
Kernel kernel = Kernel.parse("1*rbf(lengthscale=1)").bind(1);
Hyperparameters hyperparameters = Hyperparameters.of(kernel, 0.01, PriorMean.constant(0));
double[] x = {3.5};
double y = 0.2;
double[] points = {1, 2, 3};
Model model = Fit.DEFAULT.withEngine(Engine.SPECTRAL).to(Dataset.of(new double[] {1, 2, 3, 4, 5, 6}, 1, new double[] {3, 1, 4, 1, 5, 9}));
Online.Options options = Online.Options.DEFAULT;
