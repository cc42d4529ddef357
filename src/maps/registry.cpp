#include "tain/maps/registry.hpp"

#include <array>

namespace tain {
namespace {

constexpr std::array<MapEntry, 7> table{{
    {"simplex", "probabilities that sum to 1: x = softmax of y",
     "categories (2 or more); coordinates: symmetric, stretched, or a reference category"},
    {"box", "bounds per coordinate, each finite or not: x = m + r tanh y, l + e^y, u - e^-y or y",
     "lower, upper (-inf and inf allowed)"},
    {"ball", "points nearer to a centre than a radius: x = c + R tanh(|y|) y/|y|",
     "centre, radius; form: tanh, or paper (x = c + R y/(1 + |y|))"},
    {"orthant", "positive coordinates: x = e^y", "dim"},
    {"identity", "no constraint: x = y", "dim"},
    {"product", "several sets side by side, each with its own map", "factors"},
    {"affine", "image of another set: x = A x0 + b", "map, matrix (square, invertible), shift"},
}};

}  // namespace

std::span<const MapEntry> map_table() { return table; }

}  // namespace tain
