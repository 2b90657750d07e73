// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Takes in the whole library.

/// \namespace delassus
/// Models of nonsmooth dynamical systems and their simulation (systems, relations, laws, schemes, one-step problems),
/// with the vectors, matrices and factorisations that they share with the solvers in delassus::numerics.

/// \namespace delassus::numerics
/// Problem classes (LCP, MLCP, relay, friction contact, generic mechanical), their solvers, error measures and files.

#include <delassus/Config.hpp>
#include <delassus/kernel/circuits/Circuit.hpp>
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/kernel/circuits/netlist/NetlistMeter.hpp>
#include <delassus/kernel/contacts/CylinderPlane.hpp>
#include <delassus/kernel/contacts/Disk.hpp>
#include <delassus/kernel/contacts/DiskInRing.hpp>
#include <delassus/kernel/contacts/MeshContacts.hpp>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/contacts/SurfacePoint.hpp>
#include <delassus/kernel/diagnostics/ConditionReport.hpp>
#include <delassus/kernel/diagnostics/DriftMonitor.hpp>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/diagnostics/FourierSeries.hpp>
#include <delassus/kernel/diagnostics/JacobianReport.hpp>
#include <delassus/kernel/diagnostics/ModelDescription.hpp>
#include <delassus/kernel/diagnostics/RelativeDegree.hpp>
#include <delassus/kernel/functions/Motion.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/io/AutomaticCheckpoint.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/Plugin.hpp>
#include <delassus/kernel/io/RecordReader.hpp>
#include <delassus/kernel/io/Recorder.hpp>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/io/VtkWriter.hpp>
#include <delassus/kernel/laws/BushingLaw.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/GyratorLaw.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactRollingFrictionNSL.hpp>
#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/laws/SmoothLaw.hpp>
#include <delassus/kernel/laws/SpringDamperLaw.hpp>
#include <delassus/kernel/model/ForceElement.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/model/SystemPart.hpp>
#include <delassus/kernel/problems/Accuracy.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/problems/GlobalMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/ProblemByLaws.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/FirstOrderNonLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderType1R.hpp>
#include <delassus/kernel/relations/FirstOrderType2R.hpp>
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/NewtonEulerR.hpp>
#include <delassus/kernel/relations/PrescribedMotionR.hpp>
#include <delassus/kernel/relations/TransducerR.hpp>
#include <delassus/kernel/relations/joints/CylindricalJointR.hpp>
#include <delassus/kernel/relations/joints/DistanceJointR.hpp>
#include <delassus/kernel/relations/joints/FixedJointR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/relations/joints/PrismaticJointR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/shapes/AllShapes.hpp>
#include <delassus/kernel/shapes/ConvexShapes.hpp>
#include <delassus/kernel/simulation/CheckJacobians.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/InteractionManager.hpp>
#include <delassus/kernel/simulation/ProgressObserver.hpp>
#include <delassus/kernel/simulation/RunSummary.hpp>
#include <delassus/kernel/simulation/SolverPolicy.hpp>
#include <delassus/kernel/simulation/StartCheck.hpp>
#include <delassus/kernel/simulation/TimeDiscretisation.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/studies/PeriodicState.hpp>
#include <delassus/kernel/systems/CraigBampton.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/LumpedMass.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/kernel/systems/RayleighDamping.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <delassus/numerics/io/ProgressBar.hpp>
