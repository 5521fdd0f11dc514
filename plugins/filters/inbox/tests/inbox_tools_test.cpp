// SPDX-License-Identifier: Apache-2.0
// Tests how the tools of the inbox describe themselves, and the thread that does their work.
#include "catch2.hpp"
#include "ground/json.hpp"
#include "inbox_tools.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <future>
#include <thread>

using namespace skillhost;
using namespace skillhost::inbox;

TEST_CASE("only reviewers are offered the tool that decides, and all schemas are JSON") {
  CHECK(inbox::reviewTool.need == Permission::Review);
  for (const Tool *tool : {&proposeTool, &listTool, &showTool, &inbox::reviewTool}) {
    CHECK(Json::accept(tool->inputSchema));
    CHECK(Json::accept(tool->dataSchema));
    CHECK(tool->description.size() < 1024);
  }
}

TEST_CASE("a worker that ends drops the jobs that wait, and takes no more") {
  FileWorker worker;
  std::promise<void> begun, go;
  std::atomic<int> done{0};
  REQUIRE(worker.run([&] {
    begun.set_value();
    go.get_future().wait();
    ++done;
  }));
  begun.get_future().wait();
  std::size_t waiting = 0;
  while (worker.run([&] { ++done; })) ++waiting;
  CHECK(waiting == FileWorker::maxWaiting);
  std::thread end([&] { worker.stop(); });
  while (worker.run([] {})) std::this_thread::yield(); // until stop() has begun
  go.set_value();
  end.join();
  CHECK(done >= 1);
  CHECK_FALSE(worker.run([] {}));
}
