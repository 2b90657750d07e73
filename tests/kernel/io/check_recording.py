# SPDX-License-Identifier: Apache-2.0
#
# Checks recordings with h5py, a reader that knows nothing of Delassus: while they are written, after the program was
# killed, and when they are complete. The layout is that of docs/recording.md.
#
#     check_recording.py recording_run folder
#
# Exits with 77 where h5py is missing.
import os
import shutil
import signal
import subprocess
import sys
import time

try:
    import h5py
    import numpy as np
except ImportError as error:
    print("skipped: h5py is not there:", error)
    sys.exit(77)


def wait_for(condition, what):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, "waited in vain for " + what
        time.sleep(0.005)


def check_rows(f):
    """All that was committed, and that it fits together. Gives the number of rows."""
    f["rows"].refresh()
    n = int(f["rows"][0])
    for path in f["quantities"].asstr()[:]:
        f[path].refresh()
    t = f["time"][:n]
    assert len(t) == n and np.allclose(t, 1e-3 * np.arange(n), rtol=0, atol=1e-12)
    assert (f["step"][:n] == np.arange(n)).all()
    q = f["systems/0/q"][:n] if "systems/0" in f else f["systems/LagrangianLinearTIDS 0/q"][:n]
    assert q.shape == (n, 3)
    beads = f["groups/beads/q"][:n]
    assert beads.shape == (n, 5, 3) and (beads[:, 0, :] == q).all()
    assert (np.diff(beads[:, :, 0], axis=1) > 0.15).all(), "beads passed through each other"
    first, count = f["contacts/first"][:n], f["contacts/count"][:n]
    assert (first == np.concatenate(([0], np.cumsum(count)[:-1]))).all()
    m = int(first[-1] + count[-1]) if n > 0 else 0  # a file that was just begun has no row yet
    impulse = f["contacts/impulse"][:m]
    assert impulse.shape == (m, 1) and (impulse >= 0).all()
    f["names"].refresh()
    names = f["names"].asstr()[:]
    assert m == 0 or (names[f["contacts/interaction"][:m]] != "").all()
    return n


def main(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    path = os.path.join(folder, "run.h5")

    # While it is written. The run is slow enough to be looked at.
    run = subprocess.Popen([program, folder, "10"])
    try:
        wait_for(lambda: os.path.exists(path), path)
        with h5py.File(path, "r", libver="latest", swmr=True) as f:
            seen = []
            for _ in range(20):
                seen.append(check_rows(f))
                time.sleep(0.03)
        assert run.poll() is None, "the run was over before it was looked at"
        assert all(a <= b for a, b in zip(seen, seen[1:])) and seen[-1] > seen[0], seen
        print("while it was written:", seen[0], "to", seen[-1], "rows")
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()

    # After it was killed.
    with h5py.File(path, "r", libver="latest", swmr=True) as f:
        n = check_rows(f)
        assert n >= seen[-1]
        assert f["status"][0] == 0
    print("after it was killed:", n, "rows")

    # Complete: an ordinary file.
    subprocess.run([program, folder], check=True, stdout=subprocess.DEVNULL, timeout=60)
    with h5py.File(path, "r") as f:
        assert check_rows(f) == 20001
        assert f["status"][0] == 1
        assert f.attrs["format"] == "Delassus recording" and f.attrs["layout"] == 1
        assert f.attrs["simulation"] == "TimeStepping" and f.attrs["continuations"] == 1
        assert f.attrs["library"].count(".") == 2 and f.attrs["created"].endswith("Z")
        settings = dict(f["settings"].attrs)
        assert settings["h"] == "0.001" and settings["integrator.theta"] == "0.5", settings
        assert dict(f["options"].attrs) == {"beads": "5"}
        assert "LagrangianLinearTIDS" in f["model"].asstr()[0]
        q = f["systems/LagrangianLinearTIDS 0/q"]
        assert q.attrs["unit"] == "m" and list(q.attrs["columns"]) == ["y", "x", "angle"]
        assert len(f["groups/beads/q"].attrs["members"]) == 5
        assert q.compression == "gzip" and q.shuffle and q.chunks[1:] == (3,)
        assert all(f[p].shape[0] == 20001 for p in ("time", "step", "energy/kinetic", "solver/problem_size"))
        energy = f["energy/kinetic"]
        assert energy.attrs["unit"] == "J" and energy[:].max() > 1
    print("complete, continued once")
    shutil.rmtree(folder)


main(sys.argv[1], sys.argv[2])
