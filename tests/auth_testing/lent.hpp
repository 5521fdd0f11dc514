// SPDX-License-Identifier: Apache-2.0
// The host's side of a call in its smallest form, and a temporary folder.
#pragma once

#include <skillhost/plugin.hpp>

#include <filesystem>
#include <string>

namespace auth_test {

class LentHost {
public:
  explicit LentHost(std::string configuration);
  LentHost(const LentHost &) = delete;
  LentHost &operator=(const LentHost &) = delete;
  skh::Host host() const { return skh::Host(&raw_); }

private:
  std::string configuration_;
  skh_host raw_{};
};

// Returns how often a plugin of this process reported a change.
int changesTold();

class LentCall {
public:
  explicit LentCall(bool cancelled = false);
  LentCall(const LentCall &) = delete;
  LentCall &operator=(const LentCall &) = delete;
  skh::Call call() const { return skh::Call(&raw_); }

private:
  skh_call raw_{};
  bool cancelled_;
};

class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string file(const std::string &name) const { return (path_ / name).string(); }
  // Writes a file for its owner only, replacing an existing one by a new file.
  std::string write(const std::string &name, const std::string &text) const;

private:
  std::filesystem::path path_;
};

// Returns an auth plugin's verdict on a token: "ok" if it accepts the token.
std::string verdict(skh::Auth &auth, const std::string &token,
                    const std::string &resource = "https://skills.example.org/mcp");

} // namespace auth_test
