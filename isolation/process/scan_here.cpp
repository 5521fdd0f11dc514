// SPDX-License-Identifier: Apache-2.0
#include "process/scan_here.hpp"

#include "ground/descriptor.hpp"
#include "plugin_calls/library.hpp"
#include "plugin_calls/plugin_scan.hpp"
#include "process/confinement.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace skillhost::process {
namespace {

constexpr std::uint64_t memoryBytes = 1U << 30U;
constexpr int answerDescriptor = 3, copyDescriptor = 4;

void writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
}

PluginScan scanFile(const std::string &file, int copy) {
  const Result<const skh_entry *> entry = openPlugin(file, copy);
  if (!entry) return {{}, entry.failure().message, false};
  PluginScan scan;
  for (const skh_plugin *const *plugin = (*entry)->plugins; *plugin != nullptr; ++plugin)
    if (isComplete(**plugin))
      scan.plugins.push_back(PluginFacts::of(**plugin));
    else
      scan.refusal = "one of its plugins lacks a required field or function";
  return scan;
}

} // namespace

int scanHere(const std::string &file, pid_t host, bool copied) {
  // Constructors in the file may print. That output goes to standard error and not into the answer.
  Descriptor out(::fcntl(answerDescriptor, F_DUPFD_CLOEXEC, answerDescriptor + 1));
  if (!out) {
    out.reset(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, answerDescriptor));
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  } else {
    ::close(answerDescriptor);
  }
  // The host may have left descriptors open by mistake. The file must not get them.
  ::close_range(copied ? copyDescriptor + 1 : answerDescriptor,
                static_cast<unsigned>(out.number()) - 1, 0);
  ::close_range(static_cast<unsigned>(out.number()) + 1, ~0U, 0);
  Confinement wanted;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(file, error);
  wanted.mayRead.push_back(path.parent_path().string());
  wanted.memoryBytes = memoryBytes;
  wanted.parent = host;
  const std::string refusal = error && !copied ? error.message() : confine(wanted).refusal;
  writeAll(out.number(), toJson(!refusal.empty() ? PluginScan{{}, refusal, false}
                                : copied         ? scanFile(file, copyDescriptor)
                                                 : scanFile(path.string(), -1)));
  std::_Exit(0); // exit handlers of the file must not run
}

} // namespace skillhost::process
