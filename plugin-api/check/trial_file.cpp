// SPDX-License-Identifier: Apache-2.0
#include "trial_file.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

// Stores bytes that need not be UTF-8 as a list of numbers.
Json bytes(const std::string &text) { return Json::binary_t({text.begin(), text.end()}); }
std::string text(const Json &value) {
  const Json::binary_t &data = value.get_binary();
  return {data.begin(), data.end()};
}

} // namespace

int writeTrial(const Trial &trial) {
  Json json{{"plugin", trial.plugin},           {"configuration", bytes(trial.configuration)},
            {"operation", trial.operation},     {"deadline", trial.deadline.count()},
            {"arguments", Json::array()},       {"entries", Json::array()},
            {"resource", bytes(trial.resource)}};
  for (const std::string &one : trial.arguments) json["arguments"].push_back(bytes(one));
  for (const TrialEntry &one : trial.entries)
    json["entries"].push_back(
        {bytes(one.id), bytes(one.name), bytes(one.description), bytes(one.body)});
  const std::vector<std::uint8_t> data = Json::to_cbor(json);
  const int descriptor = ::memfd_create("skillhost-try", MFD_CLOEXEC);
  for (std::size_t written = 0; descriptor >= 0 && written < data.size();) {
    const ssize_t count = ::write(descriptor, data.data() + written, data.size() - written);
    if (count < 0) break;
    written += static_cast<std::size_t>(count);
  }
  if (descriptor < 0 || ::lseek(descriptor, 0, SEEK_CUR) != static_cast<off_t>(data.size()))
    throw std::system_error(errno, std::generic_category(), "shared memory");
  return descriptor;
}

Trial readTrial(int descriptor) {
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  std::vector<std::uint8_t> data(size < 0 ? 0 : static_cast<std::size_t>(size));
  const ssize_t count = ::pread(descriptor, data.data(), data.size(), 0);
  ::close(descriptor);
  if (count < 0 || static_cast<std::size_t>(count) != data.size())
    throw std::runtime_error("no trial is given");
  const Json json = Json::from_cbor(data);
  Trial trial;
  trial.plugin = json.at("plugin");
  trial.configuration = text(json.at("configuration"));
  trial.operation = json.at("operation");
  trial.deadline = std::chrono::milliseconds(json.at("deadline").get<std::int64_t>());
  for (const Json &one : json.at("arguments")) trial.arguments.push_back(text(one));
  trial.resource = text(json.at("resource"));
  for (const Json &one : json.at("entries"))
    trial.entries.push_back({text(one.at(0)), text(one.at(1)), text(one.at(2)), text(one.at(3))});
  return trial;
}

} // namespace skillhost::check
