// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

constexpr std::string_view modernMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

// Writes requests; ids count up, so that no cache can know an answer.
class Requests {
public:
  explicit Requests(bool modern) : modern_(modern) {}

  std::string first() {
    if (modern_) return line("server/discover", "{}");
    return line("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                              R"("clientInfo":{"name":"bench","version":"1"}})");
  }
  std::string call(const Operation &operation) { return line("tools/call", operation.parameters); }
  std::string tools() { return line("tools/list", "{}"); }
  bool modern() const { return modern_; }

private:
  std::string line(std::string_view method, std::string_view params) {
    std::string out = R"({"jsonrpc":"2.0","id":)" + std::to_string(++count_) + R"(,"method":")";
    out.append(method).append(R"(","params":)");
    if (!modern_) return out.append(params).append("}\n");
    const bool empty = params == "{}";
    out.append("{").append(modernMeta).append(empty ? "" : ",").append(params.substr(1));
    return out.append("}\n");
  }

  bool modern_;
  std::size_t count_ = 0;
};

// Returns the next line that answers, and skips notifications before it.
std::string_view answer(Child &child) {
  for (;;) {
    const std::string_view line = child.line();
    const std::string_view head = line.substr(0, 200);
    if (head.find("\"method\":") == std::string_view::npos ||
        head.find("\"id\":") != std::string_view::npos)
      return line;
  }
}

void require(std::string_view line, const Target &target, const std::string &what) {
  const bool good = line.find("\"result\":") != std::string_view::npos &&
                    line.find("\"isError\":true") == std::string_view::npos;
  if (!good)
    throw std::runtime_error(target.name + " answers " + what +
                             " with: " + std::string(line.substr(0, 400)));
}

void sequential(Child &child, Requests &requests, const Operation &operation, const Plan &plan,
                Sample &sample) {
  for (std::size_t i = 0; i < plan.warm; ++i) {
    child.write(requests.call(operation));
    answer(child);
  }
  std::vector<double> times;
  times.reserve(plan.calls);
  const double before = child.cpuMicroseconds();
  for (std::size_t i = 0; i < plan.calls; ++i) {
    const std::string request = requests.call(operation);
    const auto start = Clock::now();
    child.write(request);
    answer(child);
    times.push_back(microseconds(Clock::now() - start));
  }
  const double spent = child.cpuMicroseconds() - before;
  sample[operation.name + " p50 us"] = quantile(times, 0.5);
  sample[operation.name + " p99 us"] = quantile(times, 0.99);
  sample[operation.name + " cpu us"] = spent / static_cast<double>(plan.calls);
}

void inFlight(Child &child, Requests &requests, const Operation &operation, const Plan &plan,
              Sample &sample) {
  const double before = child.cpuMicroseconds();
  const auto start = Clock::now();
  std::size_t sent = 0;
  std::string burst;
  for (; sent < std::min(plan.depth, plan.pipelined); ++sent) burst += requests.call(operation);
  child.write(burst);
  for (std::size_t answered = 0; answered < plan.pipelined; ++answered) {
    answer(child);
    if (sent == plan.pipelined) continue;
    child.write(requests.call(operation));
    ++sent;
  }
  const double seconds = microseconds(Clock::now() - start) / 1e6;
  const auto count = static_cast<double>(plan.pipelined);
  const std::string name = operation.name + " x" + std::to_string(plan.depth);
  sample[name + " calls/s"] = count / seconds;
  sample[name + " cpu us"] = (child.cpuMicroseconds() - before) / count;
}

} // namespace

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = static_cast<std::ptrdiff_t>(std::lround(share * last));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return *(values.begin() + place);
}

Sample measure(const Target &target, const Plan &plan) {
  Sample sample;
  Requests requests(plan.modern);
  const std::string hello = requests.first();
  const auto start = Clock::now();
  Child child(target.command, plan.placement);
  child.write(hello);
  require(answer(child), target, "the first request");
  sample["start: first answer ms"] = microseconds(Clock::now() - start) / 1e3;
  if (!plan.modern)
    child.write(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                "\n");
  child.write(requests.tools());
  require(answer(child), target, "tools/list");
  for (const Operation &operation : target.operations) {
    child.write(requests.call(operation));
    require(answer(child), target, operation.name);
    sample["start: to " + operation.name + " ms"] = microseconds(Clock::now() - start) / 1e3;
  }
  sample["start: cpu ms"] = child.cpuMicroseconds() / 1e3;
  sample["start: resident MB"] = child.residentMegabytes();
  for (const Operation &operation : target.operations)
    sequential(child, requests, operation, plan, sample);
  if (!target.operations.empty()) inFlight(child, requests, target.operations.back(), plan, sample);
  sample["end: peak MB"] = child.peakMegabytes();
  return sample;
}

} // namespace bench
