// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/JacobianReport.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/simulation/CheckJacobians.hpp>
#include <exception>
#include <iomanip>
#include <sstream>

namespace delassus {
namespace {

constexpr std::size_t wrongShown = 20;

JacobianReport::Check compare(const std::string& what, const Matrix& given, const Matrix& differenced, double margin) {
  JacobianReport::Check check;
  check.what = what;
  check.rows = given.size1();
  check.columns = given.size2();
  check.margin = margin;
  bool first = true;
  for (std::size_t j = 0; j < given.size2(); ++j) {
    for (std::size_t i = 0; i < given.size1(); ++i) {
      const JacobianReport::Entry entry{i, j, given(i, j), differenced(i, j)};
      // A NaN is worse than any number.
      if (first || !(entry.error() <= check.worst.error())) check.worst = entry;
      first = false;
      if (!(entry.error() <= margin)) check.wrong.push_back(entry);
    }
  }
  return check;
}

// Runs the checks of one object; what it throws is an entry of the report too.
template <class Run>
void collect(const std::string& name, JacobianReport& report, Run run) {
  try {
    run();
  } catch (const std::exception& error) {
    JacobianReport::Check check;
    check.what = name;
    check.failure = error.what();
    report.checks.push_back(std::move(check));
  }
}

void addEntry(const JacobianReport::Entry& entry, std::ostringstream& text) {
  text << "    (" << entry.row << ", " << entry.column << "): given " << entry.given << ", by differences "
       << entry.differenced << ", error " << entry.error() << '\n';
}

}  // namespace

double JacobianReport::Entry::error() const {
  return std::abs(given - differenced);
}

bool JacobianReport::passes() const {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.passes(); });
}

std::string JacobianReport::text() const {
  std::size_t width = 10;
  for (const Check& check : checks) width = std::max(width, check.what.size());
  std::ostringstream text;
  text << std::left << std::setw(static_cast<int>(width)) << "Jacobian"
       << "  size      largest error  accepted\n";
  for (const Check& check : checks) {
    const std::string size = std::to_string(check.rows) + " x " + std::to_string(check.columns);
    text << std::left << std::setw(static_cast<int>(width)) << check.what << "  ";
    if (!check.failure.empty()) {
      text << "FAILED: " << check.failure << '\n';
      continue;
    }
    text << std::setw(10) << size << std::setw(15) << std::setprecision(3) << check.worst.error() << std::setw(10)
         << check.margin << (check.passes() ? "" : "WRONG") << '\n';
    text << std::setprecision(10);
    const std::size_t shown = std::min(check.wrong.size(), wrongShown);
    for (std::size_t k = 0; k < shown; ++k) addEntry(check.wrong[k], text);
    if (check.wrong.size() > shown) text << "    and " << check.wrong.size() - shown << " more\n";
  }
  return text.str();
}

JacobianReport jacobianReport(const NonSmoothDynamicalSystem& model, double t, const JacobianCheck& check) {
  JacobianReport report;
  const JacobianCollector collector(
      [&report](const std::string& what, const Matrix& given, const Matrix& differenced, double margin) {
        report.checks.push_back(compare(what, given, differenced, margin));
      });
  const Topology& topology = model.topology();
  for (const auto& system : topology.systems()) {
    collect("'" + system->name() + "'", report, [&] { checkJacobians(*system, t, check); });
  }
  for (const auto& interaction : topology.interactions()) {
    collect("Interaction '" + interaction->name() + "'", report,
            [&] { checkJacobians(topology, *interaction, t, check); });
  }
  for (const auto& element : topology.elements()) {
    collect("Force element '" + element->name() + "'", report, [&] { element->checkJacobians(t, check); });
  }
  return report;
}

}  // namespace delassus
