// SPDX-License-Identifier: Apache-2.0
#include "ground/service_key.hpp"

#include <array>

namespace skillhost {
namespace {

// These texts never change, so that replicas of different versions make the same names and codes.
constexpr const char *serviceContext = "skillhost 2026-11 shared state";
constexpr const char *useContext = "skillhost 2026-11 shared state, the key of one use";

} // namespace

Blake3Key keyOfService(const Secret &secret) {
  return Blake3Key::derived(serviceContext, secret.reveal());
}

Blake3Key keyOfUse(const Blake3Key &service, std::string_view use) {
  const auto digest = service.digest(std::array<std::string_view, 2>{"key", use});
  return Blake3Key::derived(useContext,
                            {reinterpret_cast<const char *>(digest.data()), digest.size()});
}

Blake3Key keyOfService(const Secret &secret, std::string_view use) {
  return keyOfUse(keyOfService(secret), use);
}

} // namespace skillhost
