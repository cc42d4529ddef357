// Whether words that differ in case are one word.
#pragma once

namespace tain {

enum class LetterCase { fold, keep };

}  // namespace tain
