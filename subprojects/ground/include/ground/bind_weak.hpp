// SPDX-License-Identifier: Apache-2.0
// Makes callbacks for a member function of an object that may no longer exist when they are called.
#pragma once

#include <memory>
#include <utility>

namespace skillhost {

// Returns a callable without a result that calls `method` with `first` and its own arguments while
// somebody else shares the object. It keeps the object alive only while it runs.
template <class Object, class Class, class... Parameters, class... First>
auto bindWeak(const std::shared_ptr<Object> &object, void (Class::*method)(Parameters...),
              First... first) {
  return
      [weak = std::weak_ptr<Object>(object), method, ... first = std::move(first)](auto &&...rest) {
        if (const std::shared_ptr<Object> self = weak.lock())
          ((*self).*method)(first..., std::forward<decltype(rest)>(rest)...);
      };
}

// For a class that derives from std::enable_shared_from_this. Throws std::bad_weak_ptr if no
// std::shared_ptr has the object yet, because its method would never be called.
template <class Object, class Class, class... Parameters, class... First>
auto bindWeak(Object *object, void (Class::*method)(Parameters...), First... first) {
  return [weak = std::weak_ptr(object->shared_from_this()), method,
          ... first = std::move(first)](auto &&...rest) {
    if (const auto self = weak.lock())
      ((*self).*method)(first..., std::forward<decltype(rest)>(rest)...);
  };
}

} // namespace skillhost
