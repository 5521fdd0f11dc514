// SPDX-License-Identifier: Apache-2.0
#include "rpc/request_state.hpp"

#include "ground/hexadecimal.hpp"

#include <array>
#include <charconv>

namespace skillhost {
namespace {

// A sealed state has the form "<expiry, 16 hexadecimal digits><digest, 64 of them><state>".
constexpr std::size_t expiryDigits = 16;
constexpr std::size_t digestDigits = 64;

std::string hexadecimal(std::uint64_t value) {
  std::array<char, expiryDigits> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  const std::string text(digits.data(), end);
  return std::string(expiryDigits - text.size(), '0') + text;
}

// Takes the same time wherever the digests differ.
bool sameDigest(std::string_view a, std::string_view b) {
  unsigned different = a.size() == b.size() ? 0U : 1U;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    different |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return different == 0;
}

std::int64_t secondsOf(SignedRequestState::Clock::time_point moment) {
  return std::chrono::duration_cast<std::chrono::seconds>(moment.time_since_epoch()).count();
}

} // namespace

std::string SignedRequestState::stamp(const Binding &binding, std::string_view expiry,
                                      std::string_view state) const {
  std::vector<std::string_view> parts(binding.begin(), binding.end());
  parts.push_back(expiry);
  parts.push_back(state);
  return hexadecimal(key_.digest(parts));
}

std::string SignedRequestState::seal(const Binding &binding, std::string_view state,
                                     Clock::time_point now) const {
  const std::string expiry = hexadecimal(static_cast<std::uint64_t>(secondsOf(now + lasts)));
  return expiry + stamp(binding, expiry, state) + std::string(state);
}

Result<std::string> SignedRequestState::open(const Binding &binding, std::string_view sealed,
                                             Clock::time_point now) const {
  const Failure refused{Fault::InvalidParams,
                        "params.requestState is not what this server gave for this request"};
  if (sealed.size() < expiryDigits + digestDigits) return refused;
  const std::string_view expiry = sealed.substr(0, expiryDigits);
  const std::string_view digest = sealed.substr(expiryDigits, digestDigits);
  const std::string_view state = sealed.substr(expiryDigits + digestDigits);
  if (!sameDigest(stamp(binding, expiry, state), digest)) return refused;
  std::int64_t until = 0;
  std::from_chars(expiry.begin(), expiry.end(), until, 16); // ours, by its digest
  if (secondsOf(now) > until)
    return {Fault::InvalidParams, "params.requestState is too old: begin anew"};
  return std::string(state);
}

} // namespace skillhost
