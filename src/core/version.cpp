#include "core/version.hpp"

namespace tain {

std::string_view version_number() { return TAIN_VERSION; }
std::string_view version_date() { return TAIN_DATE; }
std::string_view version_commit() { return TAIN_COMMIT; }
std::string_view compiler_name() { return TAIN_COMPILER; }

}  // namespace tain
