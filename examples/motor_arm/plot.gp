# A motor that swings an arm.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/motor_arm.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,900 font "DejaVu Sans,11"
set output folder."/motor_arm.png"
data = folder."/trajectory.csv"
set multiplot layout 3,1
set grid
set key top right horizontal
set ylabel "angle [rad]"
plot data every ::1 using 1:2 with lines lw 1.2 lc rgb "#888888" title "target", \
     data every ::1 using 1:3 with lines lw 1.8 lc rgb "#1f5fa8" title "arm"
set ylabel "voltage [V], current [A]"
plot data every ::1 using 1:5 with lines lw 1 lc rgb "#bbbbbb" title "voltage", \
     data every ::1 using 1:6 with lines lw 1.5 lc rgb "#b5432a" title "current"
set ylabel "moment [N m]"
set yrange [-80:120]  # impacts are higher, by the step that they are spread over
set xlabel "time t [s]"
plot data every ::1 using 1:7 with lines lw 1.5 lc rgb "#1f5fa8" title "motor", \
     data every ::1 using 1:8 with lines lw 1.5 lc rgb "#b5432a" title "stop"
unset multiplot
