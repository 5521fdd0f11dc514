// SPDX-License-Identifier: Apache-2.0
#include "process/confinement.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace skillhost::process {
namespace {

constexpr rlim_t maxFiles = 256;

// A sanitizer reserves terabytes of address space. It is compiled in, or a developer preloads it.
// No plugin is loaded yet, so a plugin cannot fake it.
bool isSanitized() {
  return ::dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
         ::dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr ||
         ::dlsym(RTLD_DEFAULT, "__msan_init") != nullptr;
}

bool limit(int resource, rlim_t most) {
  const rlimit value{most, most};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &value) == 0;
}

ConfinementResult confineResources(const Confinement &wanted) {
  bool all = limit(RLIMIT_CORE, 0);
  all = limit(RLIMIT_NOFILE, maxFiles) && all;
  if (isSanitized()) return {all, all ? "limits" : "not all limits"};
  if (wanted.memoryBytes != 0) all = limit(RLIMIT_AS, wanted.memoryBytes) && all;
  // With the signal ignored, a write beyond the limit fails as on a full disk and does not end the
  // process.
  ::signal(SIGXFSZ, SIG_IGN);
  if (wanted.mayWrite.empty())
    all = limit(RLIMIT_FSIZE, 0) && all;
  else if (wanted.fileBytes != 0)
    all = limit(RLIMIT_FSIZE, wanted.fileBytes) && all;
  return {all, all ? "limits" : "not all limits"};
}

void collectPaths(const Json &value, std::vector<std::string> &found) {
  if (value.is_string()) {
    const auto &text = value.get_ref<const std::string &>();
    constexpr std::string_view scheme = "file://";
    if (text.starts_with('/')) found.push_back(text);
    if (text.starts_with("file:///")) found.push_back(text.substr(scheme.size()));
  }
  if (value.is_structured())
    for (const Json &part : value) collectPaths(part, found);
}

} // namespace

std::vector<std::string> absolutePathsIn(const std::string &json) {
  std::vector<std::string> found;
  if (const Result<Json> parsed = parseJson(json)) collectPaths(*parsed, found);
  return found;
}

ConfinementResult confine(const Confinement &wanted) {
  ConfinementResult all;
  const auto add = [&all](const ConfinementResult &part) {
    all.complete = all.complete && part.complete;
    all.text += (all.text.empty() ? "" : ", ") + part.text;
    if (all.refusal.empty()) all.refusal = part.refusal;
  };
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) add({false, "no no_new_privs"});
  const ConfinementResult files = confineFiles(wanted);
  add(files);
  add(dropPrivileges(wanted, files.complete));
  // The kernel kills this process if the thread that started it ends. A change of user resets that.
  // If the parent has already ended, this process exits at once.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (wanted.parent != 0 && ::getppid() != wanted.parent) std::_Exit(1);
  add(confineResources(wanted));
  if (wanted.socketSupply >= 0) {
    const ConfinementResult sockets = confineSockets(wanted.socketSupply);
    all.suppliesSockets = sockets.suppliesSockets;
    add(sockets);
  }
  add(confineCalls(wanted.network));
  return all;
}

} // namespace skillhost::process
