// Everything a program that samples needs: sets, targets, the one call.
#pragma once

#include "tain/sampling/sample.hpp"
#include "tain/sampling/theory.hpp"
