// Everything a program needs to repeat the paper's studies, and to put what it made on a page.
#pragma once

#include "tain/reproduce/report.hpp"
#include "tain/reproduce/study.hpp"
