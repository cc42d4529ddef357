// May what is there be replaced?
#pragma once

namespace tain {

enum class Overwrite { no, yes };

}  // namespace tain
