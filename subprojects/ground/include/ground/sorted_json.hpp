// SPDX-License-Identifier: Apache-2.0
// nlohmann::json, whose keys are sorted, for the few sources that need it. ground/json.hpp explains
// the declaration.
#pragma once

#include <nlohmann/json.hpp>

namespace nlohmann {
template <> void basic_json<>::json_value::destroy(detail::value_t type);
extern template class basic_json<>; // compiled in json_tree.cpp
} // namespace nlohmann
