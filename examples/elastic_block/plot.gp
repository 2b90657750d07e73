# Soft block dragged over a rough floor.  gnuplot -c plot.gp FOLDER  reads trajectory.csv and friction.csv of FOLDER,
# writes FOLDER/elastic_block.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,900 font "DejaVu Sans,11"
set output folder."/elastic_block.png"
data = folder."/trajectory.csv"
map = folder."/friction.csv"
stats data every ::1 using 1 nooutput
end = STATS_max
stats map every ::1 using 1 nooutput
nodes = STATS_columns - 2
step = end / (STATS_records - 1)
set lmargin at screen 0.08
set rmargin at screen 0.8
set xrange [0:end]
set multiplot layout 2,1
set grid
set ylabel "force [N]"
set key left top
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8" title "spring", \
     data every ::1 using 1:(-$4) with lines lw 1 lc rgb "#b5432a" title "friction"
unset grid
set xlabel "time t [s]"
set ylabel "node of the lower face, rear to front"
set yrange [0:nodes]
set cbrange [-1:1]
set cblabel "friction / (coefficient of friction x normal force)"
set palette defined (-1 "#1f5fa8", -0.99 "#9cc3e6", 0 "#f5f5f5", 0.99 "#f0b6a6", 1 "#b5432a")
set key off
plot map skip 1 matrix every 1::1 using ($2 * step):($1 - 1):3 with image
unset multiplot
