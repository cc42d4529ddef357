#!/usr/bin/env Rscript
# Golden values of the convergence diagnostics, from R's posterior (r-cran-posterior 1.4.0):
#   Rscript tools/make_golden_diagnostics.R tests/diagnose
# writes golden_inputs.csv (one line per chain: name, values in full precision) and
# golden_expected.csv (one line per series). Run it again only when a series is added.
suppressMessages(library(posterior))
options(warn = -1)  # posterior warns when it caps an ESS; the capped value is what we compare
stopifnot(packageVersion("posterior") == "1.4.0")
folder <- commandArgs(trailingOnly = TRUE)[1]
set.seed(20181203)

ar <- function(n, phi) as.numeric(arima.sim(list(ar = phi), n))
chains <- function(count, make) sapply(seq_len(count), function(chain) make())

series <- list(
  iid_normal = chains(4, function() rnorm(150)),
  slow_ar = chains(4, function() ar(200, 0.9)),
  alternating_ar = chains(4, function() ar(150, -0.5)),
  strongly_alternating = chains(2, function() ar(60, -0.95)),
  cauchy = chains(4, function() rcauchy(120)),
  shifted_chain = cbind(chains(3, function() rnorm(100)), rnorm(100) + 2),
  scaled_chain = cbind(chains(3, function() rnorm(100)), 5 * rnorm(100)),
  odd_length = chains(3, function() ar(101, 0.4)),
  odd_length_ties = chains(3, function() round(ar(75, 0.4))),
  discrete = chains(4, function() as.numeric(rpois(100, 2))),
  two_values = chains(4, function() as.numeric(rbinom(40, 1, 0.3))),
  top_heavy_ties = chains(4, function() pmin(rnorm(60), 0.5)),
  one_chain = chains(1, function() ar(200, 0.3)),
  random_walk = chains(2, function() cumsum(rnorm(500))),
  many_chains = chains(32, function() ar(12, 0.5)),
  seven_draws = chains(4, function() rnorm(7)),
  six_draws = chains(4, function() rnorm(6)),
  five_draws = chains(4, function() rnorm(5)),
  four_draws = chains(4, function() rnorm(4)),
  offset = chains(4, function() 1e6 + rnorm(60)),
  large_scale = chains(4, function() 1e12 * rnorm(60)),
  stuck_chains = cbind(rep(1, 30), rep(2, 30)),
  constant = matrix(0.25, 20, 4),
  not_a_number = { x <- chains(4, function() rnorm(20)); x[7, 2] <- NaN; x },
  infinite = { x <- chains(4, function() rnorm(20)); x[3, 1] <- Inf; x }
)

full <- function(v) ifelse(is.finite(v), sprintf("%.17g", v), ifelse(is.na(v), "nan", ifelse(v > 0, "inf", "-inf")))

inputs <- unlist(lapply(names(series), function(name) {
  x <- series[[name]]
  apply(x, 2, function(chain) paste(c(name, full(chain)), collapse = ","))
}))
writeLines(inputs, file.path(folder, "golden_inputs.csv"))

columns <- list(
  rhat = rhat, ess_bulk = ess_bulk, ess_tail = ess_tail, ess_mean = ess_mean, ess_sd = ess_sd,
  ess_q25 = function(x) ess_quantile(x, 0.25, names = FALSE),
  ess_q100 = function(x) ess_quantile(x, 1, names = FALSE),
  mcse_mean = mcse_mean, mcse_sd = mcse_sd,
  q5 = function(x) quantile2(x, 0.05, names = FALSE),
  q50 = function(x) quantile2(x, 0.5, names = FALSE),
  q95 = function(x) quantile2(x, 0.95, names = FALSE)
)
expected <- sapply(names(series), function(name) {
  x <- series[[name]]
  # With an infinite value posterior still interpolates quantiles; we call them undefined.
  values <- sapply(columns, function(f) if (all(is.finite(x))) f(x) else NA_real_)
  paste(c(name, full(values)), collapse = ",")
})
writeLines(c(paste(c("name", names(columns)), collapse = ","), expected),
           file.path(folder, "golden_expected.csv"))
