// SPDX-License-Identifier: Apache-2.0
// A loopback address to which the browser returns after the sign-in (RFC 8252).
#pragma once

#include "ground/deadline.hpp"
#include "ground/result.hpp"
#include "oauth/web.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace skillhost {

class RedirectListener {
public:
  // Listens on 127.0.0.1, on `port` if it is free, or else on any port. Refuses redirects with a
  // `state` other than this one. Throws std::runtime_error.
  RedirectListener(std::uint16_t port, std::string state);
  ~RedirectListener();
  RedirectListener(const RedirectListener &) = delete;
  RedirectListener &operator=(const RedirectListener &) = delete;

  std::uint16_t port() const noexcept;
  std::string address() const; // the redirect_uri
  // Waits for the first redirect with the right state and returns its fields. Fails with Cancelled
  // or ToolTimeout.
  Result<FormFields> wait(int stop, Deadline deadline);

private:
  class Inner;
  std::unique_ptr<Inner> inner_;
};

} // namespace skillhost
