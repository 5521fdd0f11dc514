// SPDX-License-Identifier: Apache-2.0
// What a sign-in leaves behind for the next start: one private file for each server.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace skillhost {

struct KeptLogin {
  std::string url, resource, issuer, tokenEndpoint, revocationEndpoint;
  // The client: its id, its secret (empty: a public client), and the port of its redirect.
  std::string clientId, clientSecret;
  std::uint16_t redirectPort = 0;
  std::string scope, accessToken, refreshToken; // refreshToken empty: there is none
  std::int64_t expires = 0;                     // seconds since 1970; 0: not known

  // For a provider that does not know the client any more; its refresh token goes with it.
  void forgetClient() {
    clientId.clear();
    clientSecret.clear();
    refreshToken.clear();
  }
};

// <folder>/<digest of the URL>.json
std::string loginFile(const std::string &folder, const std::string &url);
// Nothing when there is no file. Denied when others may read it, or it is not for `url`.
Result<std::optional<KeptLogin>> readLogin(const std::string &file, const std::string &url);
// Mode 0600, in a folder of mode 0700 that is made when it is missing.
Status writeLogin(const std::string &file, const KeptLogin &login);

// Held by the one process that changes `file`, until it is destroyed.
class LoginLock {
public:
  // One that waits for the person.
  struct Holder {
    std::int64_t process = 0;
    std::string address; // for the person to open
  };
  // Waits while another process holds it; `waiting` is called once, if that one waits for the
  // person. Cancelled, or OperationFailed.
  static Result<LoginLock> take(const std::string &file, int stop,
                                const std::function<void(const Holder &)> &waiting);
  ~LoginLock();
  LoginLock(LoginLock &&) noexcept = default;
  LoginLock &operator=(LoginLock &&) = delete;

  // Whether `waiting` was called before we had it.
  bool toldOfHolder() const noexcept { return toldOfHolder_; }
  // Tells those that wait that the person is asked to open `address`.
  void tell(const std::string &address) const;

private:
  LoginLock(Descriptor file, bool toldOfHolder)
      : file_(std::move(file)), toldOfHolder_(toldOfHolder) {}
  Descriptor file_;
  bool toldOfHolder_;
};

} // namespace skillhost
