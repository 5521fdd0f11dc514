// SPDX-License-Identifier: Apache-2.0
// Keeps the result of a sign-in for the next start: one private file for each server.
#pragma once

#include "connection/login.hpp"
#include "ground/descriptor.hpp"
#include "ground/result.hpp"
#include "oauth/token_request.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace skillhost {

struct KeptLogin : ClientTokens {
  std::string url;
  std::uint16_t redirectPort = 0; // the client is registered for it
};

// Returns <folder>/<digest of the URL>.json.
std::string loginFile(const std::string &folder, const std::string &url);
// Returns nothing if there is no file. Denied if others may read it, or if it belongs to another
// URL.
Result<std::optional<KeptLogin>> readLogin(const std::string &file, const std::string &url);
// Writes the file with mode 0600. Makes a missing folder with mode 0700.
Status writeLogin(const std::string &file, const KeptLogin &login);

// The lock of the process that may change `file`. The destructor releases it.
class LoginLock {
public:
  // A process that holds the lock while a person signs in.
  struct Holder {
    std::int64_t process = 0;
    std::string address; // the person has to open it
  };
  // Waits while another process holds the lock. `waiting` is called once if that process waits for
  // a person. Fails with Cancelled or OperationFailed.
  static Result<LoginLock> take(const std::string &file, int stop,
                                const std::function<void(const Holder &)> &waiting);
  ~LoginLock();
  LoginLock(LoginLock &&) noexcept = default;
  LoginLock &operator=(LoginLock &&) = delete;

  // True if `waiting` was called before we got the lock.
  bool hasWaitedForPerson() const noexcept { return hasWaitedForPerson_; }
  // Informs waiting processes that the person has to open `address`.
  void tell(const std::string &address) const;

private:
  LoginLock(Descriptor file, bool hasWaitedForPerson)
      : file_(std::move(file)), hasWaitedForPerson_(hasWaitedForPerson) {}
  Descriptor file_;
  bool hasWaitedForPerson_;
};

} // namespace skillhost
