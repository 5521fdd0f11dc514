// SPDX-License-Identifier: Apache-2.0
// The rules for what a handler of HTTP requests from elsewhere gives: its routes and its answers.
#pragma once

#include "base/http.hpp"
#include "ground/fault.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct HandlerRoute {
  std::string path;
  bool isFolder = false, isConstant = false;
  std::uint32_t permission = 0;     // SKH_PERMISSION_* of skillhost/http.h
  std::vector<std::string> methods; // see methodsOf()
  std::uint64_t maxBody = 0;
  HttpFields fields{};   // of the answer of a constant
  std::string content{}; // of a constant
};
using HandlerRoutes = std::vector<HandlerRoute>;

struct HandlerAnswer {
  int status = 0; // 0: it has not begun
  HttpFields fields{};
  std::string body{};
};

namespace handler {
inline constexpr std::size_t maxRoutes = 256, maxContents = 32U << 20U; // of all constants together
inline constexpr std::size_t maxFields = 64;
inline constexpr std::size_t maxAnswer = 8U << 20U; // bytes of a body
} // namespace handler

// Splits a list such as "GET, POST"; "GET" if it is empty.
std::vector<std::string> methodsOf(std::string_view list);

// Return what is wrong, for the log; empty if nothing is.
std::string problemOf(const HandlerRoute &route);
std::string problemOfHead(int status, const HttpFields &fields);

// Adds X-Content-Type-Options: nosniff unless the field is there: a browser must not guess that an
// answer is a page of this server.
void forbidSniffing(HttpFields &fields);
// Returns the status that skillhost/http.h specifies for a call that failed.
int statusOfHandlerFault(Fault fault) noexcept;

// True if an answer of this status has no body.
constexpr bool isWithoutBody(int status) noexcept {
  return status == 204 || status == 205 || status == 304;
}

} // namespace skillhost
