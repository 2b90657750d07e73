# Spin of the stone beside the equations of rolling, its rattle, and its energy.
# gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/rattleback.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,460 font "DejaVu Sans,10"
set output folder."/rattleback.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set xlabel "time t [s]"
set ylabel "spin [rad/s]"
set key left top
plot data every ::1 using 1:3 with lines lw 3 lc rgb "#c9a66b" title "equations of rolling", \
     data every ::1 using 1:2 with lines lw 1 lc rgb "#1f5fa8" title "run", \
     0 lc rgb "#888888" title ""
set ylabel "rattle [rad/s]"
plot data every ::1 using 1:4 with lines lw 1 lc rgb "#b03a2e" title "about the short axis", \
     data every ::1 using 1:5 with lines lw 1 lc rgb "#1f5fa8" title "about the long axis"
unset multiplot
