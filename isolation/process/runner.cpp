// SPDX-License-Identifier: Apache-2.0
#include "process/runner.hpp"

#include "ground/wiped_text.hpp"
#include "plugin_calls/library.hpp"
#include "process/confinement.hpp"
#include "process/runner_host.hpp"
#include "process/runner_operations.hpp"
#include "process/start.hpp"
#include "process/text.hpp"
#include "process/thread_gate.hpp"

#include <malloc.h>
#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <list>
#include <thread>

namespace skillhost::process {
namespace {

// A runner has a channel for each call that may run at once, and one for receive().
constexpr std::uint32_t maxChannels = 65;
// Exit code: the plugin has closed a channel of the runner.
constexpr int lostChannel = 70;
constexpr int refusedStart = 71;

std::atomic<bool> leaving{false};

// Closes descriptors that the host left open, which are not meant for the plugin.
void closeFrom(int first) { ::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U); }

void setVariables(const Start &start) {
  for (const std::string &variable : start.variables) {
    const std::size_t equals = variable.find('=');
    const std::string name = variable.substr(0, equals);
    if (equals == std::string::npos)
      ::unsetenv(name.c_str());
    else
      ::setenv(name.c_str(), variable.c_str() + equals + 1, 1);
  }
}

Confinement confinementFor(const Start &start, pid_t host) {
  Confinement wanted = confinementOf({start.file, start.config, start.mayRead, start.cacheDirectory,
                                      start.memoryBytes, start.cacheBytes, start.network, host});
  wanted.socketSupply = start.suppliesSockets ? start.supplyDescriptor() : -1;
  return wanted;
}

Result<const skh_plugin *> load(const Start &start) {
  const Result<const skh_entry *> entry =
      openPlugin(start.file, start.copied ? start.copyDescriptor() : -1);
  if (!entry) return {entry.failure().fault, start.file + ": " + entry.failure().message};
  for (const skh_plugin *const *plugin = (*entry)->plugins; *plugin != nullptr; ++plugin)
    if ((*plugin)->kind == start.kind && (*plugin)->id == start.id) return *plugin;
  return {Fault::NotFound, start.file + ": there is no " + start.id + " in it any more"};
}

void serve(FrameSocket &channel, const RunningPlugin &running, RunnerOutbox &outbox) {
  RunnerCall call(channel);
  WipedText request;
  std::string_view frame;
  while (channel.receive(Moment::max(), frame) == FrameSocket::Got::Frame) {
    request = frame; // copied, because the channel is read again during the call
    Unpacker from(request);
    const auto operation = static_cast<Operation>(from.u8());
    if (isAboutRunningCall(operation)) continue; // too late: the call has ended
    const std::int64_t deadlineNs = from.i64();
    const std::string_view traceparent = from.text(), tracestate = from.text();
    call.begin(deadlineNs, toSkhStr(traceparent), toSkhStr(tracestate));
    const skh_status status =
        from.good() ? perform(running, operation, from, call) : skh_status{SKH_INVALID};
    outbox.flush(); // the answer must not overtake what the call has told
    call.end(status);
    ::explicit_bzero(request.data(), request.size()); // it may hold a credential
  }
  if (!leaving) std::_Exit(lostChannel);
}

// Context of create(). It ends with the process, and its failure message is sent with the refusal.
struct CreateCall {
  explicit CreateCall(std::int64_t deadlineNs)
      : base{sizeof(skh_call), 0, deadlineNs, &cancelled, &progress, &fail, {}, {}} {}
  static int32_t cancelled(const skh_call *raw) noexcept {
    return std::chrono::steady_clock::now() >= momentOf(raw->deadline_ns) ? 1 : 0;
  }
  static void progress(const skh_call *, uint64_t, uint64_t, skh_str) noexcept {}
  static void fail(const skh_call *raw, skh_str message) noexcept try {
    reinterpret_cast<const CreateCall *>(raw)->why = toStringView(message);
  } catch (...) {
    // Out of memory: only the status remains.
  }
  skh_call base;
  mutable std::string why;
};

void serveAll(const Start &start, FrameSocket &control, const RunningPlugin &running,
              RunnerOutbox &outbox) {
  std::list<FrameSocket> channels;
  std::list<std::thread> threads;
  for (std::uint32_t i = 0; i < start.channels; ++i) {
    FrameSocket &channel =
        channels.emplace_back(Descriptor(firstChannel + static_cast<int>(i)), maxRequestFrameBytes);
    threads.emplace_back([&channel, &running, &outbox] { serve(channel, running, outbox); });
  }
  // The host sends nothing more and closes the socket to end this process.
  std::string_view frame;
  while (control.receive(Moment::max(), frame) == FrameSocket::Got::Frame) {}
  leaving = true;
  for (FrameSocket &channel : channels) channel.shut();
  for (std::thread &thread : threads) thread.join();
}

} // namespace

int runPlugin(pid_t host) {
  ::signal(SIGPIPE, SIG_IGN);
  // The limit counts address space, and every arena reserves some.
  ::mallopt(M_ARENA_MAX, 2);
  FrameSocket control(Descriptor(controlDescriptor), maxRequestFrameBytes);
  std::string_view frame;
  if (control.receive(Moment::max(), frame) != FrameSocket::Got::Frame) return refusedStart;
  Start start;
  Unpacker from(frame);
  if (!Start::unpack(from, start) || start.channels == 0 || start.channels > maxChannels)
    return refusedStart;
  closeFrom(start.endOfDescriptors());
  offerThreadGate(control.number(), start.suppliesSockets ? Listener::OfSockets : Listener::Own);
  setVariables(start);
  RunnerHost runner(start, control);
  const ConfinementResult confined = confine(confinementFor(start, host));
  const bool isUnheld = start.suppliesSockets && !confined.suppliesSockets;
  Packer packer = telling(Record::Confined);
  packer.u8(confined.complete ? 1 : 0);
  packer.u8(!confined.refusal.empty() || isUnheld ? 1 : 0);
  packer.text(confined.text);
  runner.outbox().send(packer);
  if (!confined.refusal.empty()) {
    runner.tellRefused(SKH_FAILED, confined.refusal);
    std::_Exit(0);
  }
  if (isUnheld) {
    // SKH_INVALID is permanent, since the kernel will not support it the next time either.
    runner.tellRefused(SKH_INVALID, "it cannot be held to the hosts in `network`, which needs "
                                    "Linux 5.14 and seccomp: " +
                                        confined.text);
    std::_Exit(0);
  }
  // The host checks the confinement itself before any code of the plugin runs.
  if (control.receive(Moment::max(), frame) != FrameSocket::Got::Frame) return refusedStart;
  runner.outbox().start();
  const Result<const skh_plugin *> plugin = load(start);
  if (!plugin) {
    runner.tellRefused(SKH_FAILED, plugin.failure().message);
    std::_Exit(0);
  }
  RunningPlugin running{*plugin, nullptr};
  CreateCall creating(start.deadlineNs);
  const skh_status status = running.plugin->create(runner.raw(), &creating.base, &running.self);
  if (status != SKH_OK) {
    runner.tellRefused(status, creating.why);
    std::_Exit(0);
  }
  runner.tellReady();
  serveAll(start, control, running, runner.outbox());
  running.plugin->destroy(running.self);
  runner.outbox().finish();
  // Skips exit handlers, because the plugin may have installed some, and the host has received
  // everything.
  std::_Exit(0);
}

} // namespace skillhost::process
