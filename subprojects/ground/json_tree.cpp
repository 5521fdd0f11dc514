// SPDX-License-Identifier: Apache-2.0
// The functions of the JSON library's two types of document, compiled once for all libraries that
// link this one.
#include "ground/json.hpp"
#include "ground/sorted_json.hpp"

namespace nlohmann {
template class basic_json<ordered_map>;
template class basic_json<>;
} // namespace nlohmann
