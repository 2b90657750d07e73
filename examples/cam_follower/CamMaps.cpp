// SPDX-License-Identifier: Apache-2.0
#include "CamMaps.hpp"

#include <cmath>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/numerics/Error.hpp>
#include <numbers>

CamMaps computeMaps(CamFollowerParameters parameters, CamRunOptions options, std::size_t transient, std::size_t turns,
                    const std::function<void(std::size_t)>& afterTurn) {
  const double turn = Cam(parameters.rpm).turn();
  if (!std::isfinite(turn)) throw delassus::Error("CamMaps", "a cam that stands has no maps, but rpm is 0.");
  parameters.end = static_cast<double>(transient + turns) * turn;
  options.step = turn / (std::ceil(turn / options.step) + std::numbers::phi - 1.);
  const auto run = makeCamRun(parameters, options, turn);
  CamMaps maps;
  maps.firstTurn = transient;
  maps.turns = turns;
  for (std::size_t done = 1; run->advance(); ++done) {
    if (afterTurn) afterTurn(done);
    if (done <= transient) continue;
    for (const CamEvent& event : run->events()) {
      if (event.kind != "impact") continue;
      maps.impacts.push_back({event.t / turn, run->cam().phase(event.t), event.u, event.vBefore, event.vAfter,
                              run->cam().at(event.t).velocity - event.vBefore});
    }
    maps.points.push_back({static_cast<double>(done), run->u(), run->v()});
  }
  return maps;
}

void writeMaps(const CamMaps& maps, const std::filesystem::path& folder) {
  delassus::TableWriter impacts(folder / "impacts.csv",
                                {"turn", "phase [rad]", "u [m]", "v_before [m/s]", "v_after [m/s]", "approach [m/s]"});
  for (const CamImpact& impact : maps.impacts) {
    impacts.writeRow({impact.turn, impact.phase, impact.u, impact.vBefore, impact.vAfter, impact.approach});
  }
  impacts.close();
  delassus::TableWriter points(folder / "stroboscope.csv", {"turn", "u [m]", "v [m/s]"});
  for (const CamPoint& point : maps.points) points.writeRow({point.turn, point.u, point.v});
  points.close();
}
