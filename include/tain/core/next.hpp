// What those who watch long work answer.
#pragma once

namespace tain {

enum class Next { go_on, stop };

}  // namespace tain
