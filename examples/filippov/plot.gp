# The spiral and its multipliers.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/filippov.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,550 font "DejaVu Sans,11"
set output folder."/filippov.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set key top right
set size ratio -1
set xlabel "x_1"
set ylabel "x_2"
plot data every ::1 using 6:7 with lines lw 1 lc rgb "#b5432a" title "exact", \
     data every ::1 using 2:3 with lines lw 1 lc rgb "#1f5fa8" title "computed"
set size noratio
set xlabel "time t [s]"
set ylabel "|x_1| + |x_2|"
plot data every ::1 using 1:(abs($6)+abs($7)) with lines lw 1.5 lc rgb "#b5432a" title "exact", \
     data every ::1 using 1:(abs($2)+abs($3)) with lines lw 1.5 lc rgb "#1f5fa8" title "computed"
unset multiplot
