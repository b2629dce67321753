# the arms at 2 s, lighter where they are stiffer, and the circle that the head's centre should be in
W = 1140
H = 400
load 'style.gp'
# points by the thousand: an SVG would be large
set terminal pngcairo size W, H font 'Helvetica,11'
set output 'codesign_arms.png'
set multiplot layout 1,5 title 'arms at 2 s: Young''s modulus, and the goal of the head''s centre' \
  noenhanced font ',14' margins 0.055, 0.9, 0.14, 0.84 spacing 0.012
set size ratio -1
set xrange [0.22:0.88]
set yrange [0.06:0.92]
set xtics 0.2
set ytics 0.2
set palette defined (0 '#2c0f4a', 0.3 '#7b2382', 0.6 '#d8456c', 0.85 '#fd9668', 1 '#fcf0a5')
set cbrange [3:40]
set cblabel "Young's modulus [Pa]"
set colorbox user origin 0.92, 0.2 size 0.012, 0.55
unset key
set xlabel 'x [m]'
set ylabel 'y [m]'
of(arm) = strcol('arm') eq arm ? column('x') : NaN
set object 1 circle at 0.7, 0.5 radius 0.01 front fillstyle empty border rgb '#000000' linewidth 1.5
arms = 'fixed_100 fixed_215 fixed_300 codesign codesign_full'
titles = '"10 Pa" "21.5 Pa" "30 Pa" "co-design, 176" "co-design, 2,776"'
do for [i = 1:5] {
  if (i == 2) { set format y ''; unset ylabel; unset colorbox }
  set label 1 word(titles, i) at graph 0.5, 1.06 center font ',12'
  plot 'codesign_arms.csv' using (of(word(arms, i))):'y':'youngs_modulus' \
    with points pt 7 ps 0.3 lc palette
}
unset multiplot
