// SPDX-License-Identifier: Apache-2.0
#include "CircuitPicture.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <delassus/numerics/io/TextReader.hpp>

namespace delassus::tools {
namespace {

const char* const drawingScript = R"(# Draws a table of delassus-circuit: gnuplot -c NAME.gp TABLE.csv PICTURE.png TITLE
set terminal pngcairo size 1000,720
set datafile separator ","
set output ARG2
set key outside right noenhanced
set grid
header = system("head -n 1 '".ARG1."'")
columns = 1
do for [k=1:strlen(header)] { if (header[k:k] eq ",") { columns = columns + 1 } }
# Names of voltages between two nodes have a semicolon, so that commas are between columns only.
voltages = ""; currents = ""; rest = header
do for [k=1:columns] {
  end = strstrt(rest, ",")
  name = end > 0 ? rest[1:end-1] : rest
  rest = end > 0 ? rest[end+1:*] : ""
  if (name[1:2] eq "V(") { voltages = voltages." ".k }
  if (name[1:2] eq "I(") { currents = currents." ".k }
}
rows = (words(voltages) > 0) + (words(currents) > 0)
set multiplot layout (rows > 0 ? rows : 1),1 title ARG3 noenhanced
set xlabel "t [s]"
if (words(voltages) > 0) {
  set ylabel "voltage [V]"
  plot for [k in voltages] ARG1 using 1:int(k) with lines title columnheader(int(k)) noenhanced
}
if (words(currents) > 0) {
  set ylabel "current [A]"
  plot for [k in currents] ARG1 using 1:int(k) with lines title columnheader(int(k)) noenhanced
}
)";

}  // namespace

bool isHdf5Name(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  return extension == ".h5" || extension == ".hdf5";
}

bool drawTable(const std::filesystem::path& table, const std::filesystem::path& picture, const std::string& title) {
  std::filesystem::path scriptFile = picture;
  scriptFile.replace_extension(".gp");
  numerics::writeContent(scriptFile, drawingScript);
  std::string program = "gnuplot", option = "-c", script = scriptFile.string(), data = table.string(),
              target = picture.string(), label = title.empty() ? " " : title;
  char* arguments[] = {program.data(), option.data(), script.data(), data.data(), target.data(), label.data(), nullptr};
  pid_t process = 0;
  if (posix_spawnp(&process, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace delassus::tools
