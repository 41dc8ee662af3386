#!/usr/bin/env python3
"""GPyTorch's deep kernel on regression sets: what `lovelace.experiments.DeepBenchmark` measures.

A set is a folder with data.csv.gz (numbers without a header, the target last) and
test_mask.csv.gz (for the same rows, a column of 0 and 1 for each split; 1 is a test row). The
network d-1000-500-50-2 lies under KISS-GP with an RBF kernel on a grid of 100 points an axis.
Network, kernel, noise and mean follow the marginal likelihood of all training rows for 100 steps
of Adam, learning rate 0.01, weight decay 1e-4 of the network, in float32. Predictions are of the
trained features and parameters, solved in float64: by a Cholesky factor, or with --cg by conjugate
gradients to 1e-6, which takes longer.

    pip install torch gpytorch==1.15.2
    python gpytorch_deep.py FOLDER elevators --splits 0,1,2 --json gpytorch_deep.json

Inputs and target are standardised by the training rows, and scores are on that scale: root mean
squared error, negative log predictive density (NLPD) and coverage of the 95 % interval, noise
included. Each result is printed as a line of JSON when it is there, and the file is written anew.
"""

import argparse
import contextlib
import gzip
import json
import math
import pathlib
import time
import warnings

import gpytorch
import numpy
import torch

LAYERS = [1000, 500, 50, 2]
GRID = 100
QUANTILE = 1.959963984540054


def read_table(path):
    with gzip.open(path, "rt") as lines:
        return numpy.loadtxt(lines, delimiter=",", ndmin=2)


class Split:
    """Standardised training and test rows of a set."""

    def __init__(self, folder, index):
        rows = read_table(folder / "data.csv.gz")
        masks = read_table(folder / "test_mask.csv.gz")
        if not 0 <= index < masks.shape[1]:
            raise SystemExit(f"{folder} has splits 0 to {masks.shape[1] - 1}, got {index}")
        test = masks[:, index] == 1
        level = rows[~test].mean(axis=0)
        spread = rows[~test].std(axis=0) + 1e-12
        standard = torch.as_tensor((rows - level) / spread)
        self.inputs, self.target = standard[~test, :-1], standard[~test, -1]
        self.test_inputs, self.test_target = standard[test, :-1], standard[test, -1]


def network(columns):
    layers = []
    for before, after in zip([columns] + LAYERS, LAYERS):
        layers += [torch.nn.Linear(before, after), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


class DeepKernel(gpytorch.models.ExactGP):
    """KISS-GP over a network's features, or over features as they are."""

    def __init__(self, inputs, target, likelihood, net=None):
        super().__init__(inputs, target, likelihood)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.GridInterpolationKernel(
            gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=LAYERS[-1])),
            grid_size=GRID,
            num_dims=LAYERS[-1],
            grid_bounds=[(-1.05, 1.05)] * LAYERS[-1],
        )
        self.net = net
        self.box = gpytorch.utils.grid.ScaleToBounds(-1.0, 1.0)

    def features(self, inputs):
        return inputs if self.net is None else self.box(self.net(inputs))

    def forward(self, inputs):
        features = self.features(inputs)
        return gpytorch.distributions.MultivariateNormal(
            self.mean_module(features), self.covar_module(features)
        )


class Training:
    """A model on its way."""

    def __init__(self, split, device, rate, decay):
        self.inputs = split.inputs.to(device).float()
        self.target = split.target.to(device).float()
        self.likelihood = gpytorch.likelihoods.GaussianLikelihood().to(device)
        net = network(self.inputs.shape[1])
        self.model = DeepKernel(self.inputs, self.target, self.likelihood, net).to(device)
        process = [self.model.covar_module, self.model.mean_module, self.likelihood]
        groups = [{"params": net.parameters(), "weight_decay": decay}]
        groups += [{"params": part.parameters()} for part in process]
        self.adam = torch.optim.Adam(groups, lr=rate)
        self.objective = gpytorch.mlls.ExactMarginalLogLikelihood(self.likelihood, self.model)
        self.model.train()
        self.likelihood.train()

    def step(self):
        self.adam.zero_grad()
        loss = -self.objective(self.model(self.inputs), self.target)
        loss.backward()
        self.adam.step()
        return loss.item()

    def end(self):
        self.model.eval()
        self.likelihood.eval()


def predict(model, likelihood, split, device, cg):
    """Latent means and variances of the test rows, in float64."""
    with torch.no_grad(), contextlib.ExitStack() as settings:
        features = model.features(split.inputs.to(device).float()).double()
        test = model.features(split.test_inputs.to(device).float()).double()
        exact = gpytorch.likelihoods.GaussianLikelihood().to(device).double()
        frozen = DeepKernel(features, split.target.to(device), exact).to(device).double()
        exact.noise = likelihood.noise.double()
        frozen.mean_module.load_state_dict(model.mean_module.state_dict())
        kernel, learned = frozen.covar_module.base_kernel, model.covar_module.base_kernel
        kernel.outputscale = learned.outputscale.double()
        kernel.base_kernel.lengthscale = learned.base_kernel.lengthscale.double()
        frozen.eval()
        exact.eval()
        if cg:
            settings.enter_context(gpytorch.settings.max_cg_iterations(2000))
            settings.enter_context(gpytorch.settings.cg_tolerance(1e-6))
            settings.enter_context(gpytorch.settings.eval_cg_tolerance(1e-6))
        else:
            settings.enter_context(gpytorch.settings.max_cholesky_size(10**6))
        found = frozen(test)
        return found.mean.cpu(), found.variance.cpu()


def measure(folder, index, device, options):
    split = Split(folder, index)
    torch.manual_seed(options.seed)
    start = time.perf_counter()
    training = Training(split, device, options.rate, options.decay)
    for _ in range(options.steps):
        loss = training.step()
    training.end()
    seconds = time.perf_counter() - start
    mean, latent = predict(training.model, training.likelihood, split, device, options.cg)
    noise = training.likelihood.noise.item()
    result = {
        "set": folder.name,
        "split": index,
        "n": len(split.target),
        "t": len(split.test_target),
        "objective": loss,
        "training_seconds": round(seconds, 2),
    }
    return result | scores(split, mean, latent, noise)


def scores(split, mean, latent, noise):
    """How the test rows are predicted, noise included."""
    variance = latent.clamp_min(0) + noise
    rest = split.test_target - mean
    nlpd = 0.5 * (torch.log(2 * math.pi * variance) + rest**2 / variance)
    inside = rest.abs() <= QUANTILE * variance.sqrt()
    return {
        "rmse": rest.square().mean().sqrt().item(),
        "nlpd": nlpd.mean().item(),
        "coverage95": inside.double().mean().item(),
        "noise": noise,
        "least_latent_variance": latent.min().item(),
    }


def whole_numbers(text):
    return [int(part) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="one folder per set")
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--splits", type=whole_numbers, default=[0], help="such as 0,1,2")
    parser.add_argument("--json", type=pathlib.Path, help="where results go")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--decay", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cg", action="store_true", help="solve by conjugate gradients")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    about = {
        "gpytorch": gpytorch.__version__,
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "steps": options.steps,
        "rate": options.rate,
        "decay": options.decay,
        "seed": options.seed,
    }
    results = []
    for name in options.sets:
        for index in options.splits:
            results.append(measure(options.folder / name, index, device, options))
            print(json.dumps(results[-1]), flush=True)
            if options.json:
                text = json.dumps({"about": about, "results": results}, indent=1)
                options.json.write_text(text)
            if device == "cuda":
                torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
