# Ordinary kriging by gstat as its users do it: Rscript gstat.R DIR NEIGHBOURS MODEL...
# DIR has train.csv (a, b, y) and test.csv (a, b). NEIGHBOURS 0 takes all rows for every prediction.
# Of several models gstat takes the one with the smallest squared error to the empirical variogram.
# Writes predictions.csv.gz (mean, variance of an observation) and result.json into DIR.
# Ends with 3 where the package gstat is missing.
arguments <- commandArgs(trailingOnly = TRUE)
if (!requireNamespace("gstat", quietly = TRUE)) quit(status = 3)
suppressMessages({
  library(sp)
  library(gstat)
})
folder <- arguments[1]
neighbours <- as.integer(arguments[2])
models <- arguments[-(1:2)]
train <- read.csv(file.path(folder, "train.csv"))
test <- read.csv(file.path(folder, "test.csv"))
coordinates(train) <- ~ a + b
coordinates(test) <- ~ a + b

begin <- proc.time()[["elapsed"]]
empirical <- variogram(y ~ 1, train)
if (identical(models, "Mat32")) {
  start <- vgm(psill = var(train$y), model = "Mat", range = max(empirical$dist) / 5,
               nugget = var(train$y) / 10, kappa = 1.5)
} else {
  start <- vgm(models)
}
model <- suppressWarnings(fit.variogram(empirical, start))
learned <- proc.time()[["elapsed"]]
most <- if (neighbours == 0) Inf else neighbours
kriged <- krige(y ~ 1, train, test, model, nmax = most, debug.level = 0)
end <- proc.time()[["elapsed"]]

write.csv(data.frame(mean = kriged$var1.pred, variance = kriged$var1.var),
          gzfile(file.path(folder, "predictions.csv.gz")), row.names = FALSE, quote = FALSE)
shown <- paste(sprintf("%.4g %s(%.4g)", model$psill, model$model, model$range), collapse = " + ")
shown <- sub(" Nug\\([^)]*\\)", " nugget", shown)
writeLines(sprintf('{"learn_s": %.3f, "predict_s": %.3f, "version": "%s", "model": "%s"}',
                   learned - begin, end - learned, packageVersion("gstat"), shown),
           file.path(folder, "result.json"))
