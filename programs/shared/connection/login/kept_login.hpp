// SPDX-License-Identifier: Apache-2.0
// Keeps the result of a sign-in for the next start: one private file for each server.
#pragma once

#include "connection/login.hpp"
#include "ground/descriptor.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace skillhost {

struct KeptLogin {
  std::string url, resource, issuer, tokenEndpoint, revocationEndpoint;
  // The client's id, its secret (empty: a public client), and the port of its redirect.
  std::string clientId, clientSecret;
  std::uint16_t redirectPort = 0;
  std::string scope, accessToken, refreshToken; // refreshToken empty: none
  std::int64_t expires = 0;                     // seconds since 1970; 0: unknown

  // Use this if the provider no longer knows the client. The refresh token is bound to the client,
  // so it is removed, too.
  void forgetClient() {
    clientId.clear();
    clientSecret.clear();
    refreshToken.clear();
  }
};

AccessToken accessToken(const KeptLogin &login);

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
