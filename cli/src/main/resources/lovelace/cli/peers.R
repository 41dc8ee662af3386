# usage: Rscript peers.R IN.csv OUT.csv HORIZON PERIOD METHOD
# IN has columns series (a number) and y. OUT gets columns series, step, milliseconds and a column
# for each quantile 0.025, 0.05, 0.1, ..., 0.95, 0.975. A failed series has no rows.
# PERIOD is the number of steps in a season: 1, 4, 12, 24 or 52. METHOD is ets, theta or prophet.
args <- commandArgs(trailingOnly = TRUE)
horizon <- as.integer(args[3])
period <- as.integer(args[4])
method <- args[5]
table <- read.csv(args[1])
levels <- c(0.025, (1:19) / 20, 0.975)
widths <- c(seq(10, 90, 10), 95)
suppressPackageStartupMessages(if (method == "prophet") library(prophet) else library(forecast))
suppressMessages(options(warn = -1))

of_forecast <- function(f) {
  found <- matrix(0, horizon, length(levels))
  found[, 11] <- f$mean
  for (i in 1:9) {
    found[, 11 - i] <- f$lower[, i]
    found[, 11 + i] <- f$upper[, i]
  }
  found[, 1] <- f$lower[, 10]
  found[, 21] <- f$upper[, 10]
  found
}

unit <- switch(as.character(period), "4" = "quarter", "12" = "month", "24" = "hour", "52" = "week", "year")

by_prophet <- function(y) {
  start <- as.POSIXct("1950-01-01", tz = "GMT")
  ds <- if (unit == "quarter") seq(start, by = "3 months", length.out = length(y) + horizon)
        else seq(start, by = unit, length.out = length(y) + horizon)
  n <- length(y)
  m <- prophet(
    yearly.seasonality = unit %in% c("quarter", "month", "week"),
    weekly.seasonality = unit == "hour", daily.seasonality = unit == "hour",
    uncertainty.samples = 1000)
  m <- fit.prophet(m, data.frame(ds = ds[1:n], y = y))
  draws <- predictive_samples(m, data.frame(ds = ds[n + 1:horizon]))$yhat
  found <- t(apply(draws, 1, quantile, probs = levels))
  found
}

one <- function(y) {
  switch(method,
    ets = of_forecast(forecast(ets(ts(y, frequency = period)), h = horizon, level = widths)),
    theta = of_forecast(thetaf(ts(y, frequency = period), h = horizon, level = widths)),
    prophet = by_prophet(y))
}

Sys.setenv(TZ = "GMT") # Prophet asks the system for it otherwise
set.seed(1)
invisible(try(one(100 + (1:48) + rnorm(48)), silent = TRUE)) # loads what is loaded once
out <- file(args[2], "w")
writeLines(paste(c("series", "step", "milliseconds", levels), collapse = ","), out)
for (s in unique(table$series)) {
  y <- table$y[table$series == s]
  before <- proc.time()
  found <- try(suppressMessages(one(y)), silent = TRUE)
  spent <- 1000 * sum((proc.time() - before)[c(1, 2, 4, 5)], na.rm = TRUE)
  if (inherits(found, "try-error") || any(!is.finite(found))) next
  for (k in 1:horizon)
    writeLines(paste(c(s, k, spent, format(found[k, ], digits = 15, trim = TRUE)), collapse = ","), out)
}
close(out)
