# The notes' figures 14.2 and 14.3.  gnuplot -c figures.gp FOLDER  reads FOLDER/rpm_{358,660,700}/trajectory.csv, writes
# FOLDER/figure_14_2.png (time series) and FOLDER/figure_14_3.png (phase plane).
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
data(rpm) = sprintf("%s/rpm_%s/trajectory.csv", folder, rpm)
set grid

set terminal pngcairo size 1100,1200 font "DejaVu Sans,11"
set output folder."/figure_14_2.png"
set multiplot layout 3,1 title "Cam follower, Moreau–Jean time stepping"
set xlabel "time t [s]"
set ylabel "position [m]"
set xrange [0:*]
do for [rpm in "358 660 700"] {
  set title rpm." rpm"
  plot data(rpm) every ::1 using 1:2 with lines lw 1.2 lc rgb "#1f5fa8" title "follower u", \
       data(rpm) every ::1 using 1:4 with lines lw 0.8 lc rgb "#999999" title "cam c"
}
unset multiplot

set terminal pngcairo size 1200,560 font "DejaVu Sans,11"
set output folder."/figure_14_3.png"
set multiplot layout 1,2 title "Cam follower, phase plane"
set autoscale x
set key off
set xlabel "position u [m]"
set ylabel "velocity v [m/s]"
do for [rpm in "358 700"] {
  set title rpm." rpm"
  plot data(rpm) every ::1 using 2:3 with lines lw 0.7 lc rgb "#b5432a"
}
unset multiplot
