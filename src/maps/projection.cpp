#include "tain/maps/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tain/core/lanes.hpp"
#include "tain/maps/ball.hpp"
#include "tain/maps/box.hpp"
#include "tain/maps/product.hpp"
#include "tain/maps/simplex.hpp"
#include "tain/maps/stretched_simplex.hpp"

namespace tain {
namespace {

void onto_box(const Box& box, ConstBlock x, Block out) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double lower = box.lower()[i], upper = box.upper()[i];
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double v = x.at(i, l);
      out.at(i, l) = v < lower ? lower : v > upper ? upper : v;  // NaN stays NaN
    }
  }
}

void onto_ball(std::span<const double> centre, double radius, ConstBlock x, Block out,
               Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> largest = ws.array(x.lanes()), squares = ws.array(x.lanes());
  std::ranges::fill(largest, 0.0);
  std::ranges::fill(squares, 0.0);
  // Relative to the largest coordinate, so that squares cannot overflow.
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      largest[l] = std::max(largest[l], std::abs(x.at(i, l) - centre[i]));
    }
  }
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double z = largest[l] > 0 ? (x.at(i, l) - centre[i]) / largest[l] : 0.0;
      squares[l] += z * z;
    }
  }
  for (std::size_t l = 0; l < x.lanes(); ++l) {
    const double norm = largest[l] * std::sqrt(squares[l]);
    squares[l] = norm <= radius ? 1.0 : radius / norm;  // NaN spreads
  }
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double v = x.at(i, l), factor = squares[l];
      out.at(i, l) = factor == 1.0 ? v : centre[i] + (v - centre[i]) * factor;
    }
  }
}

// tau of the definition for coordinates whose maximum is 0; sorts them.
double simplex_threshold(std::span<double> u) {
  std::ranges::sort(u, std::greater<>());
  double sum = 0, tau = -1;
  for (std::size_t k = 0; k < u.size(); ++k) {
    sum += u[k];
    const double next = (sum - 1) / static_cast<double>(k + 1);
    if (!(u[k] > next)) {
      break;
    }
    tau = next;
  }
  return tau;
}

void onto_simplex(ConstBlock x, Block out, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> u = ws.array(x.rows()), finite = ws.array(x.lanes());
  lanes::all_finite(x, finite);
  for (std::size_t l = 0; l < x.lanes(); ++l) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x.rows(); ++i) {
      largest = std::max(largest, x.at(i, l));
    }
    for (std::size_t i = 0; i < x.rows(); ++i) {
      u[i] = x.at(i, l) - largest;
    }
    const double tau =
        finite[l] != 0 ? simplex_threshold(u) : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const double v = (x.at(i, l) - largest) - tau;
      out.at(i, l) = v < 0 ? 0.0 : v;
    }
  }
}

// The nearest point with sum 1.
void onto_simplex_hull(ConstBlock x, Block out, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> excess = ws.array(x.lanes());
  lanes::sum(x, excess);
  lanes::affine(excess, 1.0, -1.0, excess);
  lanes::copy(x.flat(), out.flat());
  lanes::add_to_rows(-1.0 / static_cast<double>(x.rows()), excess, out);
}

using Maker = std::optional<Projection> (*)(const AnyMap&);

// Factor by factor; none if a factor has none.
std::optional<Projection> product_of(const Product& product, Maker make) {
  struct Part {
    std::size_t first, count;
    Projection project;
  };
  std::vector<Part> parts;
  std::size_t first = 0;
  for (const AnyMap& factor : product.factors()) {
    std::optional<Projection> project = make(factor);
    if (!project) {
      return std::nullopt;
    }
    parts.push_back({first, factor.primal_dim(), *std::move(project)});
    first += factor.primal_dim();
  }
  return [parts](ConstBlock x, Block out, Workspace& ws) {
    for (const Part& part : parts) {
      part.project(x.slice(part.first, part.count), out.slice(part.first, part.count), ws);
    }
  };
}

bool is_simplex(const AnyMap& map) { return map.as<Simplex>() || map.as<StretchedSimplex>(); }

}  // namespace

std::optional<Projection> projection_onto(const AnyMap& map) {
  if (const Box* box = map.as<Box>()) {
    return [box = *box](ConstBlock x, Block out, Workspace&) { onto_box(box, x, out); };
  }
  if (const Ball* ball = map.as<Ball>()) {
    std::vector<double> centre(ball->primal_dim());
    ball->centre(centre);
    return [centre, radius = ball->radius()](ConstBlock x, Block out, Workspace& ws) {
      onto_ball(centre, radius, x, out, ws);
    };
  }
  if (is_simplex(map)) {
    return onto_simplex;
  }
  const Product* product = map.as<Product>();
  return product ? product_of(*product, projection_onto) : std::nullopt;
}

std::optional<Projection> projection_onto_hull(const AnyMap& map) {
  if (map.as<Box>() || map.as<Ball>()) {
    return [](ConstBlock x, Block out, Workspace&) { lanes::copy(x.flat(), out.flat()); };
  }
  if (is_simplex(map)) {
    return onto_simplex_hull;
  }
  const Product* product = map.as<Product>();
  return product ? product_of(*product, projection_onto_hull) : std::nullopt;
}

}  // namespace tain
