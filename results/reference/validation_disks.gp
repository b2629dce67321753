# energies of two discs that collide, by resolution
W = 900
H = 520
load 'style.gp'
set output 'validation_disks.svg'
set title 'two elastic discs collide: energies' noenhanced font ',17'
set xlabel 'time [s]'
set ylabel 'energy [J]'
set xrange [0:3.6]
set yrange [0:2.8]
set key outside right top
set arrow from 1.5858,0 to 1.5858,2.8 nohead lc rgb gray dt 2
set label 'contact of the circles' at 1.62,2.7 tc rgb gray noenhanced
dash(n) = n eq '80' ? 1 : 3
width(n) = n eq '80' ? 2.2 : 1.2
f = 'validation_disks_energy.csv'
plot for [n in '20 80'] f using 'time':(column('cells') == int(n) ? column('total') : NaN) \
    with lines lw width(n) dt dash(n) lc rgb gray title 'total, cells of 1/'.n noenhanced, \
  for [n in '20 80'] f using 'time':(column('cells') == int(n) ? column('kinetic') : NaN) \
    with lines lw width(n) dt dash(n) lc rgb blue title 'kinetic' noenhanced, \
  for [n in '20 80'] f using 'time':(column('cells') == int(n) ? column('strain') : NaN) \
    with lines lw width(n) dt dash(n) lc rgb red title 'strain' noenhanced
