# The wheel beside geometry without play, and the moment of the motor.
# gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/geneva_drive.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,460 font "DejaVu Sans,10"
set output folder."/geneva_drive.png"
data = folder."/trajectory.csv"
degrees = 57.29578
set multiplot layout 1,3
set grid
set xlabel "time t [s]"
set ylabel "angle of the wheel [degrees]"
set key right top
plot data every ::1 using 1:($4 * degrees) with lines lw 3 lc rgb "#c9a66b" title "geometry", \
     data every ::1 using 1:($3 * degrees) with lines lw 1 lc rgb "#1f5fa8" title "run"
set ylabel "run less geometry [mrad]"
set key off
plot data every ::1 using 1:(($3 - $4) * 1000) with lines lw 1 lc rgb "#1f5fa8"
set ylabel "moment of the motor [N m]"
set yrange [-0.7:0.7]
plot data every ::1 using 1:7 with lines lw 1 lc rgb "#b03a2e"
unset multiplot
