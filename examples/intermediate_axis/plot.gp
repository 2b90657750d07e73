# Angular velocity, flips and errors.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/intermediate_axis.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,800 font "DejaVu Sans,11"
set output folder."/intermediate_axis.png"
data = folder."/trajectory.csv"
set multiplot layout 2,1
set grid
set key outside right
set xlabel "time t [s]"
set ylabel "angular velocity [rad/s]"
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8" title "Ω_1", \
     data every ::1 using 1:3 with lines lw 1.5 lc rgb "#b5432a" title "Ω_2", \
     data every ::1 using 1:4 with lines lw 1.5 lc rgb "#3a7d44" title "Ω_3", \
     data every 250::1 using 1:5 with points pt 6 ps 0.7 lc rgb "#1f5fa8" title "exact", \
     data every 250::1 using 1:6 with points pt 6 ps 0.7 lc rgb "#b5432a" notitle, \
     data every 250::1 using 1:7 with points pt 6 ps 0.7 lc rgb "#3a7d44" notitle
set logscale y
set format y "10^{%T}"
set ylabel "error"
plot data every ::2 using 1:9 with lines lw 1.5 lc rgb "#1f5fa8" title "orientation [rad]", \
     data every ::2 using 1:(abs($10) > 1e-16 ? abs($10) : 1/0) with lines lw 1 lc rgb "#b5432a" title "energy"
unset multiplot
