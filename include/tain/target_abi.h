/* Targets in a shared library: what a file given to `tain sample --target ./file.so` must contain.
 *
 * Plain C (C89). The library exports one function, and its name says which sign it gives:
 *   tain_target_open        value and gradient of the potential V = -log p, p the density
 *   tain_log_density_open   value and gradient of log p, as in Stan
 * Both take and fill the same. Below, V stands for the one or the other. Build:
 *
 *     cc -O2 -fPIC -shared -o my_target.so my_target.c -lm
 *
 * Laws:
 *   - value_and_gradient writes V(x) and dV/dx_i, i < dim. On the simplex the gradient is that in
 *     all coordinates, as if they were free. Constants may be left out of V.
 *   - Calls come from several threads at once: an evaluation must not write to shared state.
 *   - The same x gives the same value and gradient: Tain's promise of equal bits rests on it.
 *   - Nothing may be thrown through these functions.
 * `tain sample` checks the gradient by differences before it starts.
 */
#ifndef TAIN_TARGET_ABI_H
#define TAIN_TARGET_ABI_H

#include <stddef.h>

/* Version of this interface; goes up whenever the structure or the meaning of a field changes. */
#define TAIN_TARGET_ABI 1

#ifdef __cplusplus
extern "C" {
#endif

/* What an evaluation returns. */
enum {
  TAIN_TARGET_OK = 0,
  /* V is not defined at this point: it counts as density 0 and is rejected. Value and gradient are
   * not looked at. From `block` it says that some lane is to be rejected: every lane is then
   * evaluated alone. (Or write +inf, for log p -inf, to its value, 0 to its gradient and return
   * TAIN_TARGET_OK.) */
  TAIN_TARGET_REJECT = 1
  /* Anything else stops the run with an error. */
};

struct tain_target {
  int abi_version;  /* set to TAIN_TARGET_ABI */
  size_t dim;       /* coordinates of x, 1 or more */
  const char* name; /* for reports; NULL: the file's name. Must live until destroy. */
  void* context;    /* handed to every function below; may be NULL */
  /* V and its gradient at one point: dim numbers in, one and dim out. May be NULL where `block` is
   * there: a point is then a block of one lane. */
  int (*value_and_gradient)(void* context, const double* x, double* value, double* gradient);
  /* The same for `lanes` points at once, or NULL. Coordinate i of point l is x[i * lanes + l];
   * gradient likewise; value[l]. A point's result must not depend on the other points. */
  int (*block)(void* context, size_t lanes, const double* x, double* value, double* gradient);
  /* Frees the context, or NULL. Called once, after the last evaluation. */
  void (*destroy)(void* context);
};

/* Fills *out (all zero on entry). arguments: the text after the file's name on the command line,
 * never NULL; dim_hint: the dimension of the chosen set, 0 if the target is to decide. Returns 0,
 * or another number after writing a message of at most error_size bytes, its 0 included. */
int tain_target_open(const char* arguments, size_t dim_hint, struct tain_target* out, char* error,
                     size_t error_size);
/* The same of a library that gives log p. A library has one of the two. */
int tain_log_density_open(const char* arguments, size_t dim_hint, struct tain_target* out,
                          char* error, size_t error_size);

typedef int (*tain_target_open_function)(const char* arguments, size_t dim_hint,
                                         struct tain_target* out, char* error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
