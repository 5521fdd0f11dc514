// SPDX-License-Identifier: Apache-2.0
// Where the browser comes back to after the person has signed in: a loopback address (RFC 8252).
#pragma once

#include "ground/deadline.hpp"
#include "ground/result.hpp"
#include "login/web.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace skillhost {

class RedirectListener {
public:
  // Listens on 127.0.0.1, on `port` if that is free, else on any. Redirects with another `state`
  // than this are refused. Throws std::runtime_error.
  RedirectListener(std::uint16_t port, std::string state);
  ~RedirectListener();
  RedirectListener(const RedirectListener &) = delete;
  RedirectListener &operator=(const RedirectListener &) = delete;

  std::uint16_t port() const noexcept;
  std::string address() const; // the redirect_uri
  // The fields of the first redirect with the right state. Cancelled, or ToolTimeout.
  Result<FormFields> wait(int stop, Deadline deadline);

private:
  class Inner;
  std::unique_ptr<Inner> inner_;
};

} // namespace skillhost
