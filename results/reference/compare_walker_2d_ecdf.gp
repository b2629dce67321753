# gnuplot compare_walker_2d_ecdf.gp makes compare_walker_2d_ecdf.svg
set terminal svg size 900,480 dynamic background rgb 'white' font 'Helvetica,Arial,sans-serif,15' linewidth 1.2
set output 'compare_walker_2d_ecdf.svg'
set datafile separator ','
set datafile columnheaders
set border 3 linecolor rgb '#444444'
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid linecolor rgb '#dddddd' linetype 1 linewidth 0.6
set lmargin 10
set rmargin 3
set key noenhanced below
set logscale x
set yrange [0:1]
set xlabel 'simulations'
set ylabel 'share of (run, target) pairs reached'
set title 'a soft biped learns to walk' noenhanced font ',17'
plot 'compare_walker_2d_ecdf.csv' using (strcol('method') eq 'LD_SLSQP' ? column(2) : NaN):'fraction' with steps lw 2 lc rgb '#08519c' title 'LD_SLSQP', \
  'compare_walker_2d_ecdf.csv' using (strcol('method') eq 'adam(learning_rate=0.01)' ? column(2) : NaN):'fraction' with steps lw 2 lc rgb '#cb181d' title 'adam(learning_rate=0.01)', \
  'compare_walker_2d_ecdf.csv' using (strcol('method') eq 'gradient_descent(learning_rate=0.03)' ? column(2) : NaN):'fraction' with steps lw 2 lc rgb '#238b45' title 'gradient_descent(learning_rate=0.03)', \
  'compare_walker_2d_ecdf.csv' using (strcol('method') eq 'cmaes' ? column(2) : NaN):'fraction' with steps lw 2 lc rgb '#6a51a3' title 'cmaes', \
  'compare_walker_2d_ecdf.csv' using (strcol('method') eq 'bipop_cmaes' ? column(2) : NaN):'fraction' with steps lw 2 lc rgb '#d94801' title 'bipop_cmaes', \
  'compare_walker_2d_ecdf.csv' using (strcol('method') eq 'one_plus_one_es' ? column(2) : NaN):'fraction' with steps lw 2 lc rgb '#525252' title 'one_plus_one_es'
