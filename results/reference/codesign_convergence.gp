# violation and effort of the arms against evaluations
W = 860
H = 760
load 'style.gp'
set output 'codesign_convergence.svg'
set multiplot layout 2,1 title 'reaching a point at rest: co-design and fixed designs' noenhanced \
  font ',17' margins 0.1, 0.97, 0.09, 0.93 spacing 0.07
runs = 'fixed_100 fixed_215 fixed_300 codesign codesign_full'
titles = '"10 Pa" "21.5 Pa" "30 Pa" "co-design, 176 variables" "co-design, 2,776 variables"'
colours = '#969696 #636363 #252525 #cb181d #08519c'
of(run) = strcol('run') eq run ? column('evaluation') : NaN
set xrange [0:150]
set ylabel 'least violation so far (1e-6: feasible)'
set logscale y
set format y '10^{%L}'
set yrange [1e-6:0.2]
set key at graph 0.98, 0.5
plot for [i = 1:5] 'codesign_convergence.csv' using (of(word(runs, i))):'least_violation' with lines \
  lw 2 lc rgb word(colours, i) title word(titles, i)
unset logscale y
set format y '%g'
set yrange [0:1.05]
set xlabel 'evaluations'
set ylabel 'effort J of that design'
unset key
plot for [i = 1:5] 'codesign_convergence.csv' using (of(word(runs, i))):'effort' with lines \
  lw 2 lc rgb word(colours, i)
unset multiplot
