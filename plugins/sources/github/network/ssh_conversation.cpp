// SPDX-License-Identifier: Apache-2.0
#include "ssh_conversation.hpp"

#include "remote/piped_program.hpp"

#include "paths/names.hpp"

namespace skillhost::github {
namespace {

// Quotes a path for the remote shell. A leading "~" is not quoted, so that it stands for a home
// directory there.
std::string quoted(const std::string &path) {
  std::string text = "'";
  std::string start;
  std::size_t from = 0;
  if (path.starts_with('~')) {
    from = std::min(path.find('/'), path.size());
    start = path.substr(0, from);
    constexpr std::string_view harmless =
        "~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (start.find_first_not_of(harmless) != start.npos)
      throw skh::Error(SKH_INVALID, "url: the user after \"~\" cannot be");
  }
  for (const char c : path.substr(from)) text += c == '\'' ? "'\\''" : std::string(1, c);
  return start + text + "'";
}

std::vector<std::string> command(const Address &address) {
  std::vector<std::string> words{"ssh",
                                 "-x",
                                 "-T",
                                 "-o",
                                 "BatchMode=yes",
                                 "-o",
                                 "ClearAllForwardings=yes",
                                 "-o",
                                 "ConnectTimeout=15"};
  if (!address.port.empty()) words.insert(words.end(), {"-p", address.port});
  std::string host = address.host;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  words.push_back(address.user.empty() ? host : address.user + "@" + host);
  words.push_back("git-upload-pack " + quoted(address.path));
  return words;
}

class SshStream final : public Stream {
public:
  SshStream(const Address &address, remote::Operation &operation)
      : operation_(operation), process_(command(address)) {}

  std::size_t read(char *into, std::size_t maxBytes) override {
    const std::size_t size = process_.read(operation_, into, maxBytes);
    operation_.receive(size);
    // git announces its end. An earlier end is a failure of ssh or of the remote.
    if (size == 0) fail("the other side ended");
    return size;
  }
  void write(std::string_view bytes) override {
    try {
      process_.write(operation_, bytes);
    } catch (const skh::Error &error) {
      if (error.status() != SKH_UNAVAILABLE) throw;
      fail(error.what());
    }
  }

private:
  [[noreturn]] void fail(const std::string &what) const {
    const std::string &complaints = process_.complaints();
    const std::size_t end = complaints.find_last_not_of("\r\n ");
    throw remote::RemoteError(
        "ssh: " + what +
        (end == complaints.npos ? "" : ": " + paths::printable(complaints.substr(0, end + 1))));
  }

  remote::Operation &operation_;
  remote::PipedProgram process_;
};

} // namespace

std::unique_ptr<Stream> SshConversation::open(Step /*step*/) {
  return std::make_unique<SshStream>(address_, operation_);
}

} // namespace skillhost::github
