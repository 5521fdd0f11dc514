// SPDX-License-Identifier: Apache-2.0
#include "lent.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <stdexcept>

namespace auth_test {
namespace {

std::atomic<int> changes = 0;

} // namespace

LentHost::LentHost(std::string configuration) : configuration_(std::move(configuration)) {
  raw_.size = sizeof raw_;
  raw_.abi_minor = SKH_ABI_MINOR;
  raw_.name = skh::borrow("auth-test");
  raw_.version = skh::borrow("1");
  raw_.instance = skh::borrow("test");
  raw_.config = skh::borrow(configuration_);
  raw_.log = [](const skh_host *, int32_t, skh_str) noexcept {};
  raw_.metric = [](const skh_host *, int32_t, skh_str, double) noexcept {};
  raw_.changed = [](const skh_host *) noexcept { ++changes; };
  raw_.extension = [](const skh_host *, const char *) noexcept -> const void * { return nullptr; };
}

LentCall::LentCall(bool cancelled) : cancelled_(cancelled) {
  raw_.size = sizeof raw_;
  raw_.deadline_ns = INT64_MAX;
  raw_.cancelled = cancelled_ ? [](const skh_call *) noexcept -> int32_t { return 1; }
                              : [](const skh_call *) noexcept -> int32_t { return 0; };
  raw_.progress = [](const skh_call *, uint64_t, uint64_t, skh_str) noexcept {};
  raw_.fail = [](const skh_call *, skh_str) noexcept {};
}

int changesTold() { return changes; }

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "skillhost-auth-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string &name, const std::string &text) const {
  const std::string path = file(name);
  std::ofstream(path + ".new") << text;
  if (::chmod((path + ".new").c_str(), 0600) != 0) throw std::runtime_error("chmod");
  std::filesystem::rename(path + ".new", path);
  return path;
}

std::string verdict(skh::Auth &auth, const std::string &token, const std::string &resource) {
  const LentCall call;
  try {
    auth.validate(call.call(), {"bearer", token, resource, "127.0.0.1:1"});
    return "ok";
  } catch (const skh::Error &why) {
    return (why.status() == SKH_DENIED        ? "denied: "
            : why.status() == SKH_UNAVAILABLE ? "unavailable: "
                                              : "other: ") +
           std::string(why.what());
  }
}

} // namespace auth_test
