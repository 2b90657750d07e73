// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/Config.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

/// Functions of the user from shared objects, by name. In the plugin (libFollower.so):
///
///     void externalForces(double t, delassus::Vector& f) { f(0) = std::sin(t); }
///     DELASSUS_PLUGIN_FUNCTION(externalForces)
///
/// and in the program:
///
///     follower->setExternalForces(plugin::load<void(double, Vector&)>("Follower", "externalForces"));
///
/// A loaded function keeps its shared object loaded. A C symbol carries no type, so the macro exports a description
/// beside the function: its type, and the version of the library that the plugin was built with. load() compares both.
namespace delassus::plugin {

/// What DELASSUS_PLUGIN_FUNCTION exports beside a function, as delassus_plugin_NAME.
struct Description {
  static constexpr std::uint32_t currentLayout = 1;  ///< increases with every change of this structure
  using Function = void (*)();                       ///< of any type; to be cast back before it is called

  std::uint32_t layout;        ///< of this structure; always its first member
  const char* version;         ///< of the library that the plugin was built with
  const std::type_info* type;  ///< of the function
  Function function;           ///< what `type` is the type of
};

/// "void (double, Vector&)": the type as a user writes it.
std::string readableType(const std::type_info& type);

/// A shared object that is loaded, by name or path.
///
/// A path (a name with a '/' in it, or that ends as shared objects do) is used as it is; a name like "Follower" is
/// searched for as libFollower.so and Follower.so in the folders of the environment variable DELASSUS_PLUGIN_PATH
/// (separated by ':'), beside the program, and in the present folder, in this order.
class SharedObject {
 public:
  /// Throws Error if there is none of this name, listing where it was searched for, or if it cannot be loaded, with the
  /// reason.
  explicit SharedObject(const std::string& name);
  ~SharedObject();

  /// The file that was found, as an absolute path.
  const std::filesystem::path& path() const;
  /// Functions that it exports with a description, in alphabetical order.
  std::vector<std::string> functions() const;

  /// Throws Error unless it exports `function` with a description, with this type and built with this version of the
  /// library.
  Description::Function find(const std::string& function, const std::type_info& type) const;
  /// A C symbol. Throws Error if there is none of this name.
  Description::Function findUnchecked(const std::string& function) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  std::string name_;
};

namespace detail {

template <class Signature>
struct Caller;

template <class Result, class... Arguments>
struct Caller<Result(Arguments...)> {
  std::shared_ptr<const SharedObject> object;  // kept as long as the function is
  Result (*function)(Arguments...);

  Result operator()(Arguments... arguments) const { return function(std::forward<Arguments>(arguments)...); }
};

template <class Result, class... Arguments>
Description describe(Result (*function)(Arguments...), const char* version) {
  return {Description::currentLayout, version, &typeid(Result(Arguments...)),
          reinterpret_cast<Description::Function>(function)};
}

template <class Signature>
std::function<Signature> makeCaller(std::shared_ptr<const SharedObject> object, Description::Function function) {
  return Caller<Signature>{std::move(object), reinterpret_cast<Signature*>(function)};
}

}  // namespace detail

/// The function `function` of the plugin `name`. Throws Error that says what is wrong: no such shared object (and where
/// it was searched for), no such function (and which exist), another type, another version of the library, or no
/// description.
template <class Signature>
std::function<Signature> load(const std::string& name, const std::string& function) {
  auto object = std::make_shared<const SharedObject>(name);
  const Description::Function found = object->find(function, typeid(Signature));
  return detail::makeCaller<Signature>(std::move(object), found);
}

/// A function that is exported as extern "C" without a description; the caller is responsible for `Signature` being its
/// type. Throws Error if there is no such shared object or symbol.
template <class Signature>
std::function<Signature> loadUnchecked(const std::string& name, const std::string& function) {
  auto object = std::make_shared<const SharedObject>(name);
  const Description::Function found = object->findUnchecked(function);
  return detail::makeCaller<Signature>(std::move(object), found);
}

}  // namespace delassus::plugin

#if defined(_WIN32)
#define DELASSUS_PLUGIN_EXPORT __declspec(dllexport)
#else
#define DELASSUS_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

#ifndef DELASSUS_PLUGIN_VERSION
#define DELASSUS_PLUGIN_VERSION ::delassus::libraryVersion
#endif

/// Exports a function of this name declared above, in any namespace that is open here.
#define DELASSUS_PLUGIN_FUNCTION(function)                                                            \
  extern "C" DELASSUS_PLUGIN_EXPORT const ::delassus::plugin::Description delassus_plugin_##function; \
  const ::delassus::plugin::Description delassus_plugin_##function =                                  \
      ::delassus::plugin::detail::describe(&function, DELASSUS_PLUGIN_VERSION);
