# tip of a slender beam under a dead end load, against the elastica
W = 900
H = 520
load 'style.gp'
set output 'validation_elastica.svg'
set title 'slender beam under an end load: where the tip is' noenhanced font ',17'
set xlabel 'P L^2/(EI)'
set ylabel 'over L'
set xrange [0:10.5]
set yrange [0:1]
set key outside right top
f = 'validation_elastica.csv'
dash(q) = q eq '2' ? 3 : 1
is(c, q) = column('cells') == c && column('across') == q
plot f using 'load':(is(2, 2) ? column('w_theory') : NaN) with points pt 6 ps 1.6 lw 2 lc rgb gray title 'deflection, elastica' noenhanced, \
  '' using 'load':(is(2, 2) ? column('u_theory') : NaN) with points pt 4 ps 1.6 lw 2 lc rgb gray title 'shortening, elastica' noenhanced, \
  for [q in '2 4'] '' using 'load':(is(4, int(q)) ? column('w') : NaN) with linespoints pt 7 ps 0.6 dt dash(q) \
    lc rgb blue title 'deflection, '.q.' x '.q.' particles a cell' noenhanced, \
  for [q in '2 4'] '' using 'load':(is(4, int(q)) ? column('u') : NaN) with linespoints pt 7 ps 0.6 dt dash(q) \
    lc rgb red title 'shortening, '.q.' x '.q.' particles a cell' noenhanced
