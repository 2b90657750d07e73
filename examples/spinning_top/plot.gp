# Path of the tip, tilt and spin.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/spinning_top.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1300,550 font "DejaVu Sans,11"
set output folder."/spinning_top.png"
data = folder."/trajectory.csv"
set multiplot layout 1,3
set grid
set key off
set size ratio -1
set xlabel "tip x [mm]"
set ylabel "tip y [mm]"
plot data every ::1 using (1000*$2):(1000*$3) with lines lw 0.7 lc rgb "#1f5fa8"
set size noratio
set xlabel "time t [s]"
set ylabel "angle of the axis from the vertical [°]"
plot data every ::1 using 1:($4*180/pi) with lines lw 1 lc rgb "#b5432a"
set key top right
set ylabel "spin [rad/s]"
set y2label "slip of the tip [m/s]"
set ytics nomirror
set y2tics
plot data every ::1 using 1:6 axes x1y2 with lines lw 1 lc rgb "#1f5fa8" title "slip (right)", \
     data every ::1 using 1:5 with lines lw 2 lc rgb "#3a7d44" title "spin"
unset multiplot
