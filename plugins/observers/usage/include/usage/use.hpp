// SPDX-License-Identifier: Apache-2.0
// One use of a skill, or an attempt: a row of the figures.
#pragma once

#include "plugin/use.hpp"

#include <array>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::array<std::string_view, 4> useKindNames{"load", "read", "search", "refusal"};

using UseEvent = Use<std::string>;

// Converts the texts of a subject to another type.
template <class To, class From> UseSubject<To> subjectAs(const UseSubject<From> &from) {
  return {from.kind,       To(from.skill),  To(from.source), To(from.path),   To(from.digest),
          To(from.issuer), To(from.person), To(from.client), To(from.outcome)};
}

} // namespace skillhost
