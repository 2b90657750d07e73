// SPDX-License-Identifier: Apache-2.0
#include "Options.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/Fclib.hpp>
#include <delassus/numerics/io/TextProblems.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <exception>
#include <string_view>
#include <utility>

namespace delassus::tools {
namespace {

using namespace numerics;

AnyProblem parse(std::string_view content, const std::string& name, const std::optional<ProblemClass>& problemClass) {
  return problemClass ? parseProblem(content, name, *problemClass).problem : parseProblem(content, name).problem;
}

// The child's answer: a letter for the class and the problem as text, which reads back to the same bits; or '!' and the
// message of an error.
constexpr char firstClass = 'a';
constexpr char errorFollows = '!';

std::string answerTo(std::string_view content, const std::string& name,
                     const std::optional<ProblemClass>& problemClass) noexcept {
  try {
    const AnyProblem problem = parse(content, name, problemClass);
    std::string answer(1, static_cast<char>(firstClass + problem.index()));
    return answer + std::visit([](const auto& any) { return textOf(any, TextStorage::natural); }, problem);
  } catch (const Error& error) {
    return errorFollows + std::string(error.what());
  } catch (const std::exception& error) {
    return errorFollows + name + ": it cannot be read: " + error.what() + ".";
  }
}

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The child leaves no core file, and is ended if libhdf5 loops: a minute and a second for each megabyte are far more
// than reading takes.
void limitChild(std::size_t bytes) {
  const rlimit noCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  const rlim_t seconds = 60 + bytes / 1'000'000;
  const rlimit time{seconds, seconds};
  ::setrlimit(RLIMIT_CPU, &time);
}

// A child process that works on `answer` and writes it to a pipe.
class Child {
 public:
  template <class Answer>
  Child(std::string name, std::size_t bytes, const Answer& answer) : name_(std::move(name)) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) fail("a pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::close(ends[0]);
      limitChild(bytes);
      ::_exit(writeAll(ends[1], answer()) ? 0 : 1);
    }
    ::close(ends[1]);
    output_ = ends[0];
    if (process_ > 0) return;
    ::close(output_);
    fail("a process");
  }
  ~Child() {
    ::close(output_);
    if (waited_) return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Everything that it writes. Throws Error if it fails.
  std::string answer() {
    std::string all;
    std::array<char, 1U << 16> part{};
    for (;;) {
      const ssize_t length = ::read(output_, part.data(), part.size());
      if (length == 0) break;
      if (length < 0 && errno != EINTR) fail("what it read");
      if (length > 0) all.append(part.data(), static_cast<std::size_t>(length));
    }
    requireGoodEnd();
    return all;
  }

 private:
  void requireGoodEnd() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    waited_ = true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string how = WIFSIGNALED(status) ? std::string(::strsignal(WTERMSIG(status)))
                                                : "exit status " + std::to_string(WEXITSTATUS(status));
    throw Error(name_, "it is damaged, and the HDF5 library ended on it (" + how + ").");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(name_, "cannot read it in a child process, no " + what + ": " + std::strerror(errno) + ".");
  }

  std::string name_;
  pid_t process_ = 0;
  int output_ = -1;
  bool waited_ = false;
};

AnyProblem parseInChild(std::string_view content, const std::string& name,
                        const std::optional<ProblemClass>& problemClass) {
  Child child(name, content.size(), [&] { return answerTo(content, name, problemClass); });
  const std::string answer = child.answer();
  if (answer.empty()) throw Error(name, "the process that read it did not answer.");
  const std::string_view text = std::string_view(answer).substr(1);
  if (answer.front() == errorFollows) throw Error(std::string(text));
  return parseProblem(text, name, static_cast<ProblemClass>(answer.front() - firstClass)).problem;
}

}  // namespace

AnyProblem readInput(const std::string& file, const Options& options) {
  const std::string content = readContent(file, options.largestFile);
  if (isHdf5(content)) return parseInChild(content, file, options.problemClass);
  return parse(content, file, options.problemClass);
}

}  // namespace delassus::tools
