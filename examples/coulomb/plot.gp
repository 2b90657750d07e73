# Speeds in the lanes and the height of the ball that bounces.
# gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/coulomb.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,460 font "DejaVu Sans,10"
set output folder."/coulomb.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set key right top
set xlabel "time t [s]"
set ylabel "speed along the lane [m/s]"
plot data every ::1 using 1:2 with lines lw 2 title "cube at 6 m/s", \
     data every ::1 using 1:3 with lines lw 2 title "cylinder on a slope", \
     data every ::1 using 1:4 with lines lw 2 title "ball, slides until it rolls", \
     data every ::1 using 1:5 with lines lw 2 title "block on a belt"
set ylabel "speed and spin of the tripod, height of the ball"
plot data every ::1 using 1:6 with lines lw 2 title "tripod: speed [m/s]", \
     data every ::1 using 1:($7 * 0.1) with lines lw 2 title "tripod: spin [10 rad/s]", \
     data every ::1 using 1:8 with lines lw 2 title "ball with e = 1/2: height [m]"
unset multiplot
