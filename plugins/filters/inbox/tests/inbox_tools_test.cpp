// SPDX-License-Identifier: Apache-2.0
// Tests how the tools of the inbox describe themselves, and the thread that does their work.
#include "catch2.hpp"
#include "ground/json.hpp"
#include "inbox_tools.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <future>
#include <string>
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
  REQUIRE(worker.run("ada", [&] {
    begun.set_value();
    go.get_future().wait();
    ++done;
  }));
  begun.get_future().wait();
  std::size_t waiting = 0;
  while (worker.run("ada", [&] { ++done; })) ++waiting;
  CHECK(waiting == FileWorker::maxOwn);
  std::thread end([&] { worker.stop(); });
  go.set_value();
  end.join();
  CHECK(done >= 1);
  CHECK_FALSE(worker.run("ada", [] {}));
}

TEST_CASE("the many jobs of one owner neither keep others out nor come before theirs") {
  FileWorker worker;
  std::promise<void> begun, go, all;
  REQUIRE(worker.run("ada", [&] {
    begun.set_value();
    go.get_future().wait();
  }));
  begun.get_future().wait();
  std::string order; // only the thread of the worker writes it
  for (std::size_t i = 0; i < FileWorker::maxOwn; ++i)
    CHECK(worker.run("ada", [&] { order += 'a'; }));
  CHECK_FALSE(worker.run("ada", [] {}));
  CHECK(worker.run("bob", [&] { order += 'b'; }));
  CHECK(worker.run("bob", [&] { order += 'B'; }));
  // Not even many of them together keep out somebody else.
  std::size_t waiting = FileWorker::maxOwn + 2;
  for (int i = 0; waiting < FileWorker::maxWaiting - 1; ++i) {
    const std::string owner = "crowd" + std::to_string(i);
    while (worker.run(owner, [] {})) ++waiting;
  }
  CHECK_FALSE(worker.run("bob", [] {}));
  CHECK(worker.run("eve", [&] { order += 'e'; }));
  CHECK_FALSE(worker.run("rex", [] {})); // all is full
  go.set_value();
  worker.run("ada", [] {});
  while (!worker.run("last", [&] { all.set_value(); })) std::this_thread::yield();
  all.get_future().wait();
  worker.stop();
  CHECK(order.starts_with("ab"));
  CHECK(order.find('e') < order.rfind('a'));
}
