#include "diagnose/convergence.hpp"

#include "diagnose/analysis.hpp"

namespace tain {
namespace {

diagnostics::Analysis analysed(const Series& s) {
  diagnostics::Analysis analysis;
  analysis.load(s);
  return analysis;
}

}  // namespace

double rhat(const Series& s) { return analysed(s).rhat(); }
double ess_bulk(const Series& s) { return analysed(s).ess_bulk(); }
double ess_tail(const Series& s) { return analysed(s).ess_tail(); }
double ess_mean(const Series& s) { return analysed(s).ess_mean(); }
double ess_sd(const Series& s) { return analysed(s).ess_sd(); }
double ess_quantile(const Series& s, double p) { return analysed(s).ess_quantile(p); }
double mcse_mean(const Series& s) { return analysed(s).mcse_mean(); }
double mcse_sd(const Series& s) { return analysed(s).mcse_sd(); }
double quantile(const Series& s, double p) { return analysed(s).quantile(p); }

}  // namespace tain
