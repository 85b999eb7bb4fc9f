/** \file
 *  Quantiles and distributions by GSL. Only src/bridge/gsl.c sees its headers. */
#ifndef HOLDFAST_SRC_BRIDGE_GSL_H
#define HOLDFAST_SRC_BRIDGE_GSL_H

/** x with P(Z <= x) = p for a standard normal Z, 0 < p < 1. */
double hf_gsl_normal_quantile(double p);
/** x with P(X <= x) = p for a Beta(a, b) variable, 0 < p < 1, a, b > 0. */
double hf_gsl_beta_quantile(double p, double a, double b);
/** x with P(T <= x) = p for Student's t with `freedom` degrees of freedom, 0 < p < 1. */
double hf_gsl_t_quantile(double p, double freedom);
/** P(Z <= x). */
double hf_gsl_normal_below(double x);
/** P(T <= x). */
double hf_gsl_t_below(double x, double freedom);

#endif
