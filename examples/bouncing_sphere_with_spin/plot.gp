# Path, speed and spin of the ball.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/bouncing_sphere_with_spin.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,500 font "DejaVu Sans,11"
set output folder."/bouncing_sphere_with_spin.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set key top right
set xlabel "x [m]"
set ylabel "height z [m]"
plot data every ::1 using 2:3 with lines lw 1.5 lc rgb "#1f5fa8" title "centre of the ball"
set xlabel "time t [s]"
set ylabel "v_x [m/s]"
set y2label "spin [rad/s]"
set ytics nomirror
set y2tics
set key bottom right
plot data every ::1 using 1:5 with lines lw 2 lc rgb "#1f5fa8" title "v_x", \
     data every 60::1 using 1:9 with points pt 6 ps 0.8 lc rgb "#1f5fa8" title "closed form", \
     data every ::1 using 1:7 axes x1y2 with lines lw 2 lc rgb "#b5432a" title "spin (right)", \
     data every 60::1 using 1:10 axes x1y2 with points pt 6 ps 0.8 lc rgb "#b5432a" title "closed form"
unset multiplot
