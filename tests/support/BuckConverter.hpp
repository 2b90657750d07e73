// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <memory>

/// Parameters of the buck converter, SI units; the defaults make 5 V of 12 V at 100 kHz.
struct BuckConverterParameters {
  double supply = 12.;                 ///< V_in, V
  double reference = 5.;               ///< V_ref, V
  double load = 2.5;                   ///< R, Ω
  double inductance = 22e-6;           ///< L, H
  double inductorResistance = 20e-3;   ///< r_L, Ω
  double capacitance = 100e-6;         ///< C, F
  double capacitorResistance = 10e-3;  ///< ρ (ESR), Ω
  double switchResistance = 20e-3;     ///< r_S, Ω
  double blockingVoltage = 30.;        ///< V_b, V, what the open switch holds; above V_in + V_f
  double diodeResistance = 20e-3;      ///< r_D, Ω
  double diodeDrop = 0.4;              ///< V_f, V
  double proportionalGain = 0.3;       ///< k_p
  double integralGain = 1000.;         ///< k_i, 1/s
  double derivativeGain = 9e-6;        ///< k_d, s
  double derivativeTime = 2e-6;        ///< τ, s, of the filter of the derivative
  double frequency = 100e3;            ///< 1/T, Hz, of the sawtooth between 0 and 1
  double sawtoothAtFall = 0.;          ///< when it falls; 1: as a step that ends there takes it from a netlist
  double end = 20e-3;                  ///< s
};

/// The model: power stage and controller, x = (i_L, v_C, z_1, z_2), and everything that switches in one interaction of
/// four rows, λ = (v, i_D, i_S, s). The README.md of the example has the equations.
struct BuckConverter {
  explicit BuckConverter(const BuckConverterParameters& parameters);

  /// The output voltage v_o at the present state.
  double outputVoltage() const;
  double inductorCurrent() const { return circuit->x()(0); }
  double nodeVoltage() const { return switching->lambda(0)(0); }
  double diodeCurrent() const { return switching->lambda(0)(1); }
  double switchCurrent() const { return switching->lambda(0)(2); }
  /// 1 where the switch is closed, 0 where it is open.
  double switchState() const { return switching->lambda(0)(3); }

  const BuckConverterParameters p;
  delassus::NonSmoothDynamicalSystem model;
  std::shared_ptr<delassus::FirstOrderLinearTIDS> circuit;
  std::shared_ptr<delassus::Interaction> switching;
};
