# How many bodies are in the bowl and on the ground, and their kinetic energy.
# gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/bowl.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 900,420 font "DejaVu Sans,10"
set output folder."/bowl.png"
data = folder."/trajectory.csv"
set grid
set key center right
set xlabel "time t [s]"
set ylabel "number"
set y2label "kinetic energy [J]"
set y2tics
set ytics nomirror
plot data every ::1 using 1:3 with lines lw 2 title "in the bowl", \
     data every ::1 using 1:4 with lines lw 2 title "on the ground", \
     data every ::1 using 1:2 with lines lw 1 lc rgb "#777777" title "contacts", \
     data every ::1 using 1:5 axes x1y2 with lines lw 1 lc rgb "#b5432a" title "kinetic energy"
