# Quarter of a car on a washboard.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/quarter_car.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,900 font "DejaVu Sans,11"
set output folder."/quarter_car.png"
data = folder."/trajectory.csv"
set multiplot layout 3,1
set grid
set xrange [0.4:2]
set ylabel "height [mm]"
set key top left horizontal
plot data every ::1 using 1:(1000 * $2) with filledcurves y1=-60 lc rgb "#dddddd" title "road", \
     data every ::1 using 1:(1000 * $5) with lines lw 1.2 lc rgb "#555555" title "tread", \
     data every ::1 using 1:(1000 * $4) with lines lw 1.5 lc rgb "#b5432a" title "wheel", \
     data every ::1 using 1:(1000 * $3) with lines lw 1.5 lc rgb "#1f5fa8" title "body"
set ylabel "force on the road [kN]"
set key off
plot data every ::1 using 1:($6 / 1000) with lines lw 1.2 lc rgb "#b5432a"
set ylabel "acceleration of the body [m/s²]"
set xlabel "time t [s]"
plot data every ::1 using 1:9 with lines lw 1.2 lc rgb "#1f5fa8"
unset multiplot
