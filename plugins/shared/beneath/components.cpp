// SPDX-License-Identifier: Apache-2.0
#include "beneath/beneath.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <vector>

namespace skillhost::beneath {
namespace {

constexpr int maxLinks = 40; // the kernel's limit

// Walks down from a root. The passed folders stay open, so that ".." is the folder from which the
// walk came, whatever the system would resolve.
class ComponentWalk {
public:
  ComponentWalk(const Root &root, std::string_view path) : root_(root) { push(path); }

  Opened open(int flags) {
    while (!pending_.empty()) {
      const std::string name = std::move(pending_.back());
      pending_.pop_back();
      if (name == "..") {
        if (passed_.empty()) return {{}, EXDEV};
        passed_.pop_back();
        continue;
      }
      Descriptor here(::openat(top(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
      struct stat status{};
      if (!here || ::fstat(here.number(), &status) != 0) return {{}, errno};
      if (S_ISLNK(status.st_mode)) {
        if (const int error = follow(here); error != 0) return {{}, error};
      } else if (S_ISDIR(status.st_mode)) {
        passed_.push_back(std::move(here));
      } else {
        return pending_.empty() ? reopen(name, flags) : Opened{{}, ENOTDIR};
      }
    }
    return reopen(".", flags);
  }

private:
  int top() const noexcept {
    return passed_.empty() ? root_.descriptor.number() : passed_.back().number();
  }

  Opened reopen(const std::string &name, int flags) const {
    const int extra = (flags & O_PATH) != 0 ? 0 : O_NONBLOCK | O_NOCTTY;
    Descriptor file(::openat(top(), name.c_str(), flags | extra | O_NOFOLLOW | O_CLOEXEC));
    const int error = file ? 0 : errno;
    return {std::move(file), error};
  }

  // Puts the components of `path` before those still pending.
  void push(std::string_view path) {
    while (!path.empty()) {
      const std::size_t slash = path.rfind('/');
      const std::string_view last = slash == path.npos ? path : path.substr(slash + 1);
      if (!last.empty() && last != ".") pending_.emplace_back(last);
      path = slash == path.npos ? std::string_view{} : path.substr(0, slash);
    }
  }

  int follow(const Descriptor &link) {
    if (++links_ > maxLinks) return ELOOP;
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = ::readlinkat(link.number(), "", buffer.data(), buffer.size());
    if (length <= 0) return errno;
    std::string_view target(buffer.data(), static_cast<std::size_t>(length));
    if (target.front() == '/') {
      const std::optional<std::string_view> inside = insideRoot(target);
      if (!inside) return EXDEV;
      passed_.clear();
      target = *inside;
    }
    push(target);
    return 0;
  }

  std::optional<std::string_view> insideRoot(std::string_view target) const {
    for (const std::string_view prefix : {std::string_view(root_.path), {root_.canonical}}) {
      if (prefix == "/") return target.substr(1);
      if (!target.starts_with(prefix)) continue;
      if (target.size() == prefix.size()) return std::string_view{};
      if (target[prefix.size()] == '/') return target.substr(prefix.size() + 1);
    }
    return std::nullopt;
  }

  const Root &root_;
  std::vector<std::string> pending_; // reversed: the next component is the last
  std::vector<Descriptor> passed_;   // folders below the root, outermost first
  int links_ = 0;
};

} // namespace

Opened openByComponents(const Root &root, std::string_view path, int flags) {
  return ComponentWalk(root, path).open(flags);
}

} // namespace skillhost::beneath
