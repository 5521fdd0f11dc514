// SPDX-License-Identifier: Apache-2.0
#include "login/kept_login.hpp"

#include "ground/json.hpp"
#include "ground/readiness.hpp"
#include "ground/replace_file.hpp"
#include "ground/sha256.hpp"
#include "oauth/web.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace skillhost {
namespace {

constexpr std::size_t maxFileBytes = 256U << 10U;
constexpr std::chrono::milliseconds lockPolling{200};

Failure fileFault(const std::string &path, const std::string &what) {
  return {Fault::OperationFailed,
          path + ": " + what + ": " + std::generic_category().message(errno)};
}

// Makes the folder and its missing parents, accessible to their owner alone.
Status makePrivateFolder(const std::filesystem::path &folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::exists(folder, error)) return Done{};
  if (Status above = makePrivateFolder(folder.parent_path()); !above) return above;
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return fileFault(folder.string(), "cannot be made");
  return Done{};
}

std::int64_t numberOf(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

// Returns the address that the holder wrote into the lock; nothing if it waits for no person.
std::optional<LoginLock::Holder> holderIn(int lock) {
  char buffer[8192];
  const ssize_t got = ::pread(lock, buffer, sizeof buffer, 0);
  if (got <= 0 || buffer[got - 1] != '\n') return std::nullopt;
  const std::string_view text(buffer, static_cast<std::size_t>(got) - 1);
  const std::size_t space = text.find(' ');
  LoginLock::Holder holder;
  if (space == std::string_view::npos ||
      std::from_chars(buffer, buffer + space, holder.process).ec != std::errc{})
    return std::nullopt;
  holder.address = text.substr(space + 1);
  return holder;
}

} // namespace

std::string loginFile(const std::string &folder, const std::string &url) {
  return folder + "/" + sha256Hex(url).substr(0, 32) + ".json";
}

Result<std::optional<KeptLogin>> readLogin(const std::string &file, const std::string &url) {
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!open) {
    if (errno == ENOENT) return std::optional<KeptLogin>();
    return fileFault(file, "cannot be read");
  }
  struct stat facts{};
  if (::fstat(open.number(), &facts) != 0) return fileFault(file, "cannot be examined");
  if ((facts.st_mode & 077U) != 0)
    return {Fault::Denied, file + ": others may read or write it; it holds tokens: chmod 600 it, "
                                  "or sign in again after removing it"};
  std::string text;
  while (text.size() <= maxFileBytes) {
    char buffer[4096];
    const ssize_t got = ::read(open.number(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fileFault(file, "cannot be read");
    if (got == 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  const Result<Json> read = parseJson(text);
  if (!read || !read->is_object() || textOf(*read, "url") != url)
    return {Fault::Denied,
            file + ": is not what skillhost has kept of " + url + "; remove it and sign in again"};
  KeptLogin login;
  login.url = url;
  login.resource = textOf(*read, "resource");
  login.issuer = textOf(*read, "issuer");
  login.tokenEndpoint = textOf(*read, "token_endpoint");
  login.revocationEndpoint = textOf(*read, "revocation_endpoint");
  login.clientId = textOf(*read, "client_id");
  login.clientSecret = textOf(*read, "client_secret");
  login.scope = textOf(*read, "scope");
  login.accessToken = textOf(*read, "access_token");
  login.refreshToken = textOf(*read, "refresh_token");
  login.expires = numberOf(*read, "expires");
  if (const std::int64_t port = numberOf(*read, "redirect_port"); port > 0 && port <= 65535)
    login.redirectPort = static_cast<std::uint16_t>(port);
  return std::optional<KeptLogin>(std::move(login));
}

Status writeLogin(const std::string &file, const KeptLogin &login) {
  if (Status made = makePrivateFolder(std::filesystem::path(file).parent_path()); !made)
    return made;
  const Json text{{"url", login.url},
                  {"resource", login.resource},
                  {"issuer", login.issuer},
                  {"token_endpoint", login.tokenEndpoint},
                  {"revocation_endpoint", login.revocationEndpoint},
                  {"client_id", login.clientId},
                  {"client_secret", login.clientSecret},
                  {"redirect_port", login.redirectPort},
                  {"scope", login.scope},
                  {"access_token", login.accessToken},
                  {"refresh_token", login.refreshToken},
                  {"expires", login.expires}};
  return replaceFile(file, text.dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
                     FileReaders::Owner);
}

Result<LoginLock> LoginLock::take(const std::string &file, int stop,
                                  const std::function<void(const Holder &)> &waiting) {
  const std::string path = file + ".lock";
  if (Status made = makePrivateFolder(std::filesystem::path(file).parent_path()); !made)
    return std::move(made).failure();
  Descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) return fileFault(path, "cannot be opened");
  bool hasReported = false;
  // The kernel cannot wait for a lock and a descriptor at once, so this polls.
  while (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return fileFault(path, "cannot be locked");
    if (const auto holder = hasReported ? std::nullopt : holderIn(lock.number())) {
      hasReported = true;
      waiting(*holder);
    }
    if (awaitReadiness({stop, Direction::In}, -1, Deadline::after(lockPolling)))
      return {Fault::Cancelled, "stopped"};
  }
  // Removes the text of a holder that was killed.
  [[maybe_unused]] const int emptied = ::ftruncate(lock.number(), 0);
  return LoginLock(std::move(lock), hasReported);
}

LoginLock::~LoginLock() {
  if (!file_) return; // moved from
  [[maybe_unused]] const int emptied = ::ftruncate(file_.number(), 0);
}

// This only helps others, so a failed write is ignored.
void LoginLock::tell(const std::string &address) const {
  const std::string text = std::to_string(::getpid()) + ' ' + address + '\n';
  [[maybe_unused]] const ssize_t written = ::pwrite(file_.number(), text.data(), text.size(), 0);
}

} // namespace skillhost
