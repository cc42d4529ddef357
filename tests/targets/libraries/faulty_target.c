/* One shared library with one fault or habit, chosen by the macro FAULT_<name>. */

#include "tain/target_abi.h"

#ifdef FAULT_NO_ENTRY
int something_else(void);
int something_else(void) { return 0; }
#else

static int destroyed_early = 0;

/* V = x1^2 / 2; rejects x1 > 1, fails at x1 < -100. */
static int half_square(void* context, const double* x, double* value, double* gradient) {
  (void)context;
  if (destroyed_early || x[0] < -100) {
    return 7;
  }
  if (x[0] > 1) {
    return TAIN_TARGET_REJECT;
  }
  *value = 0.5 * x[0] * x[0];
#ifdef FAULT_WRONG_SIGN
  gradient[0] = -x[0];
#else
  gradient[0] = x[0];
#endif
  return TAIN_TARGET_OK;
}

#ifdef FAULT_REJECTING_BLOCK
static int block(void* context, size_t lanes, const double* x, double* value, double* gradient) {
  size_t l;
  for (l = 0; l < lanes; ++l) {
    const int status = half_square(context, x + l, value + l, gradient + l);
    if (status) {
      return status;
    }
  }
  return TAIN_TARGET_OK;
}
#endif

static void destroy(void* context) {
  (void)context;
  destroyed_early = 1;
}

#ifdef FAULT_LOG_DENSITY
/* log p = -x1^2 / 2; rejects x1 > 1. */
static int minus_half_square(void* context, const double* x, double* value, double* gradient) {
  const int status = half_square(context, x, value, gradient);
  if (status == TAIN_TARGET_OK) {
    *value = -*value;
    gradient[0] = -gradient[0];
  }
  return status;
}
#define OPEN tain_log_density_open
#define FUNCTION minus_half_square
#else
#define OPEN tain_target_open
#define FUNCTION half_square
#endif

#ifdef FAULT_BOTH_SIGNS
int tain_log_density_open(const char* arguments, size_t dim_hint, struct tain_target* out,
                          char* error, size_t error_size) {
  return tain_target_open(arguments, dim_hint, out, error, error_size);
}
#endif

int OPEN(const char* arguments, size_t dim_hint, struct tain_target* out, char* error,
         size_t error_size) {
  (void)dim_hint;
  if (arguments[0] == 'm') {
    size_t i;
    for (i = 0; i < error_size; ++i) {
      error[i] = 'm'; /* no terminating 0 */
    }
    return 3;
  }
  if (arguments[0] == 's') {
    return 3;
  }
  out->abi_version = TAIN_TARGET_ABI;
  out->dim = 1;
  out->value_and_gradient = FUNCTION;
  out->destroy = destroy;
#ifdef FAULT_OTHER_VERSION
  out->abi_version = TAIN_TARGET_ABI + 1;
#endif
#ifdef FAULT_DIMENSION_ZERO
  out->dim = 0;
#endif
#ifdef FAULT_NO_FUNCTION
  out->value_and_gradient = NULL;
#endif
#ifdef FAULT_REJECTING_BLOCK
  out->block = block;
#endif
  return 0;
}
#endif
