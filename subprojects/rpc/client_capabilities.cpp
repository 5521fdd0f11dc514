// SPDX-License-Identifier: Apache-2.0
#include "rpc/client_capabilities.hpp"

#include "ground/json_member.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace skillhost {
namespace {

struct KnownCapability {
  const char *name, *member; // null: the capability itself
};

// The index of each is its bit. Session ids contain the bits, so they never change their meaning.
constexpr std::array<KnownCapability, 8> knownCapabilities{{{"roots", nullptr},
                                                            {"roots", "listChanged"},
                                                            {"sampling", nullptr},
                                                            {"sampling", "tools"},
                                                            {"sampling", "context"},
                                                            {"elicitation", nullptr},
                                                            {"elicitation", "form"},
                                                            {"elicitation", "url"}}};

bool isStated(const Json &capabilities, const KnownCapability &known) {
  const Json &own = memberOf(capabilities, known.name);
  if (known.member == nullptr) return !own.is_null();
  if (!own.is_object()) return false;
  const Json &member = memberOf(own, known.member);
  return !member.is_null() && !(member == false);
}

} // namespace

CapabilityFlags capabilityFlags(const Json &capabilities) {
  unsigned flags = 0;
  for (std::size_t bit = 0; bit < knownCapabilities.size(); ++bit)
    if (isStated(capabilities, knownCapabilities.at(bit))) flags |= 1U << bit;
  return static_cast<CapabilityFlags>(flags);
}

std::string capabilitiesText(CapabilityFlags flags) {
  Json capabilities = Json::object();
  for (std::size_t bit = 0; bit < knownCapabilities.size(); ++bit) {
    if ((flags & 1U << bit) == 0) continue;
    const KnownCapability &known = knownCapabilities.at(bit);
    Json &own = capabilities[known.name];
    if (own.is_null()) own = Json::object();
    if (known.member == nullptr) continue;
    own[known.member] =
        std::string_view(known.member) == "listChanged" ? Json(true) : Json::object();
  }
  return capabilities.dump();
}

} // namespace skillhost
