# Shapes and restoring force of a mooring line.  gnuplot -c plot.gp FOLDER  reads FOLDER/shapes.csv and
# FOLDER/curve.csv, writes FOLDER/mooring_line.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1100,500 font "DejaVu Sans,11"
set output folder."/mooring_line.png"
set multiplot layout 1,2
set grid
set key off
set xlabel "x [m]"
set ylabel "height above the seabed [m]"
set yrange [-5:*]
# The anchor breaks the line from one shape to the next.
plot folder."/shapes.csv" every ::1 using ($2 == 0 ? NaN : $2):3:1 with lines lw 1 lc palette
set autoscale y
unset colorbox
set key top left Left reverse
set xlabel "distance of the fairlead from the anchor [m]"
set ylabel "horizontal tension [N]"
plot folder."/curve.csv" every ::1 using 1:3 with lines lw 2 lc rgb "#b5432a" title "catenary", \
     folder."/curve.csv" every ::1 using 1:2 with points pt 7 ps 0.7 lc rgb "#1f5fa8" title "bars on the seabed"
unset multiplot
