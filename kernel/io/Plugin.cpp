// SPDX-License-Identifier: Apache-2.0
#define BOOST_DLL_USE_STD_FS
#include <delassus/kernel/io/Plugin.hpp>

#include <algorithm>
#include <boost/dll/library_info.hpp>
#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/dll/shared_library.hpp>
#include <boost/type_index/stl_type_index.hpp>
#include <cstdlib>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <sstream>
#include <system_error>

namespace delassus::plugin {
namespace {

constexpr const char* prefix = "delassus_plugin_";
constexpr const char* pathVariable = "DELASSUS_PLUGIN_PATH";
#if defined(_WIN32)
constexpr char pathSeparator = ';';
#else
constexpr char pathSeparator = ':';
#endif

using Path = std::filesystem::path;

bool isPath(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(boost::dll::shared_library::suffix().string());
}

std::vector<Path> foldersToSearch() {
  std::vector<Path> folders;
  if (const char* const list = std::getenv(pathVariable)) {
    std::istringstream entries(list);
    for (std::string entry; std::getline(entries, entry, pathSeparator);) {
      if (!entry.empty()) folders.emplace_back(entry);
    }
  }
  std::error_code unknown;
  const Path program = boost::dll::program_location(unknown);
  if (!unknown) folders.push_back(program.parent_path());
  folders.push_back(std::filesystem::current_path());
  return folders;
}

std::vector<Path> candidates(const std::string& name) {
  if (isPath(name)) return {std::filesystem::absolute(name)};
  const std::string suffix = boost::dll::shared_library::suffix().string();
  std::vector<Path> paths;
  for (const Path& folder : foldersToSearch()) {
    for (const char* const begin : {"lib", ""}) {
      const Path path = std::filesystem::absolute(folder / (begin + name + suffix));
      if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
    }
  }
  return paths;
}

Path locate(const std::string& name) {
  const std::vector<Path> paths = candidates(name);
  std::string list;
  for (const Path& path : paths) {
    std::error_code failure;
    if (std::filesystem::is_regular_file(path, failure)) return path;
    list += (list.empty() ? "" : ", ") + path.string();
  }
  const bool hint = !isPath(name) && std::getenv(pathVariable) == nullptr;
  throw Error("Plugin '" + name + "'",
              "there is no such shared object; looked for " + list +
                  (hint ? std::string(". The variable ") + pathVariable + " can name more folders." : "."));
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

// "0.1" of "0.1.3": what plugins and programs must have in common.
std::string_view compatiblePart(std::string_view version) {
  return version.substr(0, std::min(version.rfind('.'), version.size()));
}

std::string listed(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

std::string readableType(const std::type_info& type) {
  std::string text = boost::typeindex::stl_type_index(type).pretty_name();
  replaceAll(text, boost::typeindex::stl_type_index::type_id<Vector>().pretty_name(), "Vector");
  replaceAll(text, boost::typeindex::stl_type_index::type_id<Matrix>().pretty_name(), "Matrix");
  replaceAll(text, boost::typeindex::stl_type_index::type_id<std::string>().pretty_name(), "std::string");
  return text;
}

struct SharedObject::Library {
  Path path;
  boost::dll::shared_library loaded;

  // The names that begin with `begin`, without it, in alphabetical order.
  std::vector<std::string> exported(const std::string& begin) const {
    std::vector<std::string> names;
    for (const std::string& symbol : boost::dll::library_info(path).symbols()) {
      if (symbol.starts_with(begin)) names.push_back(symbol.substr(begin.size()));
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

SharedObject::SharedObject(const std::string& name) : library_(std::make_unique<Library>()), name_(name) {
  library_->path = locate(name);
  try {
    library_->loaded.load(library_->path, boost::dll::load_mode::rtld_now);
  } catch (const std::exception& failure) {
    throw Error("Plugin '" + name + "'", "'" + library_->path.string() + "' cannot be loaded: " + failure.what() + ".");
  }
}

SharedObject::~SharedObject() = default;

const Path& SharedObject::path() const {
  return library_->path;
}

std::vector<std::string> SharedObject::functions() const {
  return library_->exported(prefix);
}

Description::Function SharedObject::find(const std::string& function, const std::type_info& type) const {
  const std::string label = "Plugin '" + name_ + "'";
  const std::string symbol = prefix + function;
  if (!library_->loaded.has(symbol)) {
    if (library_->loaded.has(function)) {
      throw Error(label, "'" + function +
                             "' is exported without a description, so that its type cannot be checked: export it with "
                             "DELASSUS_PLUGIN_FUNCTION, or take loadUnchecked.");
    }
    throw Error(label, "there is no function '" + function + "' in '" + path().string() + "'; it exports " +
                           listed(functions()) + ".");
  }
  const Description& description = library_->loaded.get<const Description>(symbol);
  const bool isKnown = description.layout == Description::currentLayout;
  if (!isKnown || compatiblePart(description.version) != compatiblePart(libraryVersion)) {
    throw Error(label, "'" + path().string() + "' was built with version " +
                           (isKnown ? std::string(description.version) : "?") +
                           " of the library, but this program with " + libraryVersion + "; build it again.");
  }
  // By name: a type that is known on both sides may have two descriptions in the process.
  if (std::strcmp(description.type->name(), type.name()) != 0) {
    throw Error(label, "the function '" + function + "' is " + readableType(*description.type) + ", but asked for is " +
                           readableType(type) + ".");
  }
  return description.function;
}

Description::Function SharedObject::findUnchecked(const std::string& function) const {
  if (!library_->loaded.has(function)) {
    std::vector<std::string> names = library_->exported("");
    std::erase_if(names, [](const std::string& name) { return name.starts_with('_') || name.starts_with(prefix); });
    throw Error("Plugin '" + name_ + "'", "there is no C function '" + function + "' in '" + path().string() +
                                              "'; it exports " + listed(names) + ".");
  }
  return reinterpret_cast<Description::Function>(&library_->loaded.get<void()>(function));
}

}  // namespace delassus::plugin
