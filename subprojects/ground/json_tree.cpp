// SPDX-License-Identifier: Apache-2.0
// Compiles the functions of the JSON library's two document types once, for all libraries that link
// this one.
#include "ground/json.hpp"
#include "ground/sorted_json.hpp"

namespace nlohmann {
template class basic_json<ordered_map>;
template class basic_json<>;
} // namespace nlohmann
