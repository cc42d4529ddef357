/* A user's target in C: a curved density in the plane, known as the banana.
 *
 *     V(x) = (x1 - 1)^2 / 2 + c (x2 - x1^2)^2 / 2
 *
 * Build and run:
 *     cc -O2 -fPIC -shared -o my_target.so my_target.c
 *     tain sample --target ./my_target.so --target-arguments 5 --set box --lower -2,-1 --upper 2,3
 * The argument is the curvature c, 5 if there is none.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tain/target_abi.h"

struct banana {
  double curvature;
};

static int value_and_gradient(void* context, const double* x, double* value, double* gradient) {
  const struct banana* b = (const struct banana*)context;
  const double off = x[1] - x[0] * x[0];
  *value = 0.5 * (x[0] - 1) * (x[0] - 1) + 0.5 * b->curvature * off * off;
  gradient[0] = (x[0] - 1) - 2 * b->curvature * off * x[0];
  gradient[1] = b->curvature * off;
  return TAIN_TARGET_OK;
}

/* The same for many points at once. It may be left out; the compiler vectorises it. */
static int block(void* context, size_t lanes, const double* x, double* value, double* gradient) {
  const struct banana* b = (const struct banana*)context;
  const double *x1 = x, *x2 = x + lanes;
  size_t l;
  for (l = 0; l < lanes; ++l) {
    const double off = x2[l] - x1[l] * x1[l];
    value[l] = 0.5 * (x1[l] - 1) * (x1[l] - 1) + 0.5 * b->curvature * off * off;
    gradient[l] = (x1[l] - 1) - 2 * b->curvature * off * x1[l];
    gradient[lanes + l] = b->curvature * off;
  }
  return TAIN_TARGET_OK;
}

int tain_target_open(const char* arguments, size_t dim_hint, struct tain_target* out, char* error,
                     size_t error_size) {
  struct banana* b;
  char* end;
  const double curvature = arguments[0] ? strtod(arguments, &end) : 5;
  if ((arguments[0] && *end) || !(curvature > 0)) {
    snprintf(error, error_size, "the argument must be a positive number, not '%s'", arguments);
    return 1;
  }
  if (dim_hint != 0 && dim_hint != 2) {
    snprintf(error, error_size, "the banana lives in the plane, the set has dimension %lu",
             (unsigned long)dim_hint);
    return 1;
  }
  b = (struct banana*)malloc(sizeof *b);
  if (!b) {
    snprintf(error, error_size, "out of memory");
    return 1;
  }
  b->curvature = curvature;
  out->abi_version = TAIN_TARGET_ABI;
  out->dim = 2;
  out->name = "banana";
  out->context = b;
  out->value_and_gradient = value_and_gradient;
  out->block = block;
  out->destroy = free;
  return 0;
}
