// Everything a program needs for topics of texts: corpora, training, models.
#pragma once

#include "tain/core/error.hpp"
#include "tain/lda/model.hpp"
#include "tain/lda/train.hpp"
#include "tain/text/corpus.hpp"
#include "tain/text/import.hpp"
#include "tain/text/synthesize.hpp"
