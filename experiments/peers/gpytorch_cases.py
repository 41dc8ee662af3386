#!/usr/bin/env python3
"""GPyTorch on frozen cases: the work that `lovelace bench cases DIR` measures, done by the peer.

A case is a folder with train.csv.gz (inputs, y), test.csv.gz (inputs, y, exact_mean,
exact_variance) and case.json (noise, mean, lengthscale, outputscale of an RBF kernel, and
log_marginal_likelihood). The model is the same: KISS-GP on a grid of 100 points an axis, an RBF
kernel with one lengthscale an axis, LOVE with k = 50.

    pip install torch gpytorch==1.15.2
    python gpytorch_cases.py DIR --json gpytorch.json [--device cpu] [--device cuda] [--threads 16]

Medians in milliseconds, each of runs that together take no longer than --seconds, one at least; the
JSON says how many. float32 by default, as GPyTorch is used; --double for float64. All cases are
measured on the GPU first, then on the CPU, and the JSON is written anew after each. At the end all
is printed as a Markdown table; beside it the figures of `lovelace bench cases DIR --samples --json
ours.json` if that file is given with --ours.

GPyTorch 1.15.2 gives the lengthscales of a grid kernel to the axes in reverse order. The script
looks whether the installed version does, and hands them over so that each axis gets its own.
"""

import argparse
import csv
import gzip
import json
import pathlib
import platform
import statistics
import time
import warnings

import gpytorch
import numpy
import torch

GRID = 100
RANK = 50
MOST_WITHOUT_LOVE = 6_000  # rows, on the CPU: more take minutes
POINTS = 10_000
DRAWS = 1_000


def read_table(path):
    """The columns of a gzipped CSV file, by name."""
    with gzip.open(path, "rt", newline="") as lines:
        rows = csv.reader(lines)
        names = next(rows)
        values = numpy.array([[float(cell) for cell in row] for row in rows])
    return {name: values[:, i] for i, name in enumerate(names)}


class Case:
    """A frozen problem."""

    def __init__(self, folder):
        self.name = folder.name
        self.about = json.loads((folder / "case.json").read_text())
        self.train = read_table(folder / "train.csv.gz")
        self.test = read_table(folder / "test.csv.gz")
        self.inputs = [name for name in self.train if name != "y"]

    def matrix(self, table):
        return numpy.stack([table[name] for name in self.inputs], axis=1)


class GridModel(gpytorch.models.ExactGP):
    """KISS-GP with an RBF kernel."""

    def __init__(self, inputs, target, likelihood):
        super().__init__(inputs, target, likelihood)
        axes = inputs.shape[-1]
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(
            gpytorch.kernels.GridInterpolationKernel(
                gpytorch.kernels.RBFKernel(ard_num_dims=axes),
                grid_size=GRID,
                num_dims=axes,
                grid_bounds=[(-1.05, 1.05)] * axes,
            )
        )

    def forward(self, inputs):
        return gpytorch.distributions.MultivariateNormal(
            self.mean_module(inputs), self.covar_module(inputs)
        )

    def forget(self):
        """Drops the caches of predictions."""
        self.train()
        self.eval()


def reverses_lengthscales():
    """Whether this GPyTorch gives a grid kernel's lengthscales to the axes in reverse."""
    kernel = gpytorch.kernels.GridInterpolationKernel(
        gpytorch.kernels.RBFKernel(ard_num_dims=2),
        grid_size=GRID,
        num_dims=2,
        grid_bounds=[(-1.05, 1.05)] * 2,
    )
    lengthscales = torch.tensor([[0.5, 0.3]])
    kernel.base_kernel.lengthscale = lengthscales
    points = torch.tensor([[0.0, 0.0], [0.4, 0.0]])
    with torch.no_grad():
        found = kernel(points).to_dense()[0, 1].item()
    straight = numpy.exp(-0.5 * (0.4 / 0.5) ** 2)
    reverse = numpy.exp(-0.5 * (0.4 / 0.3) ** 2)
    return abs(found - reverse) < abs(found - straight)


class Clock:
    """Medians of timed runs, and how many runs each has."""

    def __init__(self, device, seconds):
        self.device = device
        self.seconds = seconds
        self.runs = {}

    def settle(self):
        if self.device == "cuda":
            torch.cuda.synchronize()

    def time(self, work):
        self.settle()
        start = time.perf_counter()
        work()
        self.settle()
        return time.perf_counter() - start

    def milliseconds(self, name, work, most):
        """The median time of at most so many runs after one that is not counted."""
        self.time(work)
        times = []
        while len(times) < most and (not times or sum(times) + times[-1] <= self.seconds):
            times.append(self.time(work))
        self.runs[name] = len(times)
        return 1e3 * statistics.median(times)


def measure(case, device, dtype, turned, without_love, seconds):
    """All figures of a case on a device."""

    def tensor(values):
        return torch.as_tensor(values, dtype=dtype, device=device)

    clock = Clock(device, seconds)
    inputs, target = tensor(case.matrix(case.train)), tensor(case.train["y"])
    test = tensor(case.matrix(case.test))
    likelihood = gpytorch.likelihoods.GaussianLikelihood().to(device, dtype)
    model = GridModel(inputs, target, likelihood).to(device, dtype)
    likelihood.noise = case.about["noise"]
    model.mean_module.constant.data.fill_(case.about["mean"])
    model.covar_module.outputscale = case.about["outputscale"]
    lengthscales = case.about["lengthscale"]
    model.covar_module.base_kernel.base_kernel.lengthscale = tensor(
        lengthscales[::-1] if turned else lengthscales
    )
    model.eval()
    likelihood.eval()
    result = {
        "case": case.name,
        "device": device,
        "n": len(target),
        "t": len(test),
        "dtype": str(dtype).removeprefix("torch."),
    }

    love = gpytorch.settings.fast_pred_var()
    rank = gpytorch.settings.max_root_decomposition_size(RANK)
    with torch.no_grad(), love, rank:

        def scratch():
            model.forget()
            return model(test).variance

        result["love_k50_ms"] = clock.milliseconds("love_k50_ms", scratch, 5)

        def after():
            prediction = model(test)
            return prediction.mean, prediction.variance

        result["predict_all_ms"] = clock.milliseconds("predict_all_ms", after, 11)
        one = test[:1]

        def query():
            prediction = model(one)
            return prediction.mean, prediction.variance

        result["query_ms"] = clock.milliseconds("query_ms", query, 31)
        mean, variance = after()

        points = 1.9 * torch.rand(POINTS, test.shape[1], device=device, dtype=dtype) - 0.95

        def draw():
            with gpytorch.settings.fast_pred_samples():
                return model(points).rsample(torch.Size([DRAWS]))

        def draw_from_scratch():
            model.forget()
            return draw()

        result["samples_scratch_ms"] = clock.milliseconds("samples_scratch_ms", draw_from_scratch, 3)
        result["samples_after_ms"] = clock.milliseconds("samples_after_ms", draw, 5)

    found = variance.double().cpu().numpy()
    relative = numpy.abs(found / case.test["exact_variance"] - 1)
    result["variance_mean_relative_error"] = float(relative.mean())
    result["variance_max_relative_error"] = float(relative.max())
    error = numpy.abs(mean.double().cpu().numpy() - case.test["exact_mean"])
    result["mean_max_error"] = float(error.max())

    if without_love and (device == "cuda" or len(target) <= MOST_WITHOUT_LOVE):
        with torch.no_grad(), gpytorch.settings.fast_pred_var(False):

            def solves():
                model.forget()
                return model(test).variance

            result["kissgp_ms"] = clock.milliseconds("kissgp_ms", solves, 1)

    model.train()
    likelihood.train()
    objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)

    def step():
        model.zero_grad()
        value = objective(model(inputs), target)
        value.backward()
        return float(value.detach()) * len(target)

    result["likelihood_gradient_ms"] = clock.milliseconds("likelihood_gradient_ms", step, 5)
    result["log_marginal_likelihood"] = step()
    result["runs"] = clock.runs
    result["exact_log_marginal_likelihood"] = case.about["log_marginal_likelihood"]
    return result


COLUMNS = [
    ("LOVE k=50", "love_k50_ms"),
    ("all after", "predict_all_ms"),
    ("one query", "query_ms"),
    ("KISS-GP", "kissgp_ms"),
    ("draws", "samples_scratch_ms"),
    ("draws after", "samples_after_ms"),
    ("likelihood + gradient", "likelihood_gradient_ms"),
]


def ours(path):
    """The figures of `lovelace bench cases`, in this script's names."""
    rows = []
    for case in json.loads(pathlib.Path(path).read_text()):
        row = {"case": case["case"], "device": "Lovelace", "n": case["n"]}
        for _, key in COLUMNS:
            if key in case:
                row[key] = case[key]
        if "query_ns" in case:
            row["query_ms"] = 1e-6 * case["query_ns"]
        for sampler in case.get("samples", []):
            if sampler["sampler"] == "love":
                row["samples_scratch_ms"] = sampler["scratch_ms"]
                row["samples_after_ms"] = sampler["after_ms"]
        rows.append(row)
    return rows


def table(rows):
    print("| case | n | on | " + " | ".join(head for head, _ in COLUMNS) + " |")
    print("|---|---|---|" + "---|" * len(COLUMNS))
    for row in sorted(rows, key=lambda r: (r["n"], r["device"])):
        cells = [f"{row[key]:,.3g}" if key in row else "–" for _, key in COLUMNS]
        print(f"| {row['case']} | {row['n']:,} | {row['device']} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="one folder per case")
    parser.add_argument("--json", type=pathlib.Path, required=True, help="where results go")
    parser.add_argument("--device", action="append", choices=["cpu", "cuda"])
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--double", action="store_true", help="float64 in place of float32")
    parser.add_argument("--without-love", action="store_true", help="KISS-GP without LOVE too")
    parser.add_argument("--seconds", type=float, default=20, help="most time for a figure's runs")
    parser.add_argument("--ours", type=pathlib.Path, help="results of `lovelace bench cases`")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    if options.threads:
        torch.set_num_threads(options.threads)
    devices = options.device or (["cuda", "cpu"] if torch.cuda.is_available() else ["cpu"])
    turned = reverses_lengthscales()
    about = {
        "gpytorch": gpytorch.__version__,
        "torch": torch.__version__,
        "machine": platform.node(),
        "threads": torch.get_num_threads(),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        "lengthscales_reversed": bool(turned),
    }
    rows = []
    folders = [f for f in sorted(options.folder.iterdir()) if (f / "case.json").exists()]
    for device in devices:
        for folder in folders:
            dtype = torch.float64 if options.double else torch.float32
            row = measure(
                Case(folder), device, dtype, turned, options.without_love, options.seconds
            )
            rows.append(row)
            print(json.dumps(row), flush=True)
            options.json.write_text(json.dumps({"about": about, "cases": rows}, indent=1))
            if device == "cuda":
                torch.cuda.empty_cache()
    table(rows + (ours(options.ours) if options.ours else []))


if __name__ == "__main__":
    main()
