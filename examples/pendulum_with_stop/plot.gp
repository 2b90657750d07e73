# Angle over time and phase plane of the pendulum.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/pendulum_with_stop.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,500 font "DejaVu Sans,11"
set output folder."/pendulum_with_stop.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set key off
set xlabel "time t [s]"
set ylabel "angle φ [rad]"
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8"
set xlabel "angle φ [rad]"
set ylabel "angular velocity dφ/dt [rad/s]"
plot data every ::1 using 2:3 with lines lw 1 lc rgb "#b5432a"
unset multiplot
