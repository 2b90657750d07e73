# The switchings of an event-driven run.  gnuplot -c events.gp FOLDER  reads FOLDER/events.csv, writes
# FOLDER/filippov_events.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 900,500 font "DejaVu Sans,11"
set output folder."/filippov_events.png"
data = folder."/events.csv"
set grid
set key top left
set logscale xy
set format xy "10^{%L}"
set xlabel "time left, 1.5 s − t [s]"
set ylabel "|x_1| + |x_2|"
plot 4*x with lines lw 1.5 lc rgb "#b5432a" title "exact, 2g (T − t)", \
     data every ::1 using (1.5-$1):($2==0 ? abs($3)+abs($4) : 1/0) with points pt 6 ps 0.8 lc rgb "#1f5fa8" title "switchings", \
     data every ::1 using (1.5-$1):($2==2 ? abs($3)+abs($4) : 1/0) with points pt 7 ps 1.2 lc rgb "#2d7d46" title "both rows held"
