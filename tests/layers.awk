# The words of source files: a line "FILE<tab>text<tab>WORDS" for each text in quotes, and
# "FILE<tab>name<tab>NAME" for each identifier. Comments are left out. In a CQ_ALSO line the first
# text is left out, too: what others call a thing is nobody's word.
function flush_text(text) {
  if (!(also && texts++ == 0)) print FILENAME "\ttext\t" text
}
FNR == 1 { inside = 0 }
{
  line = $0
  if (line ~ /^ *extern "C"/) next
  also = line ~ /^ *CQ_ALSO\(/
  texts = 0
  while (line != "") {
    if (inside) {
      end = index(line, "*/")
      if (end == 0) break
      line = substr(line, end + 2)
      inside = 0
    } else if (substr(line, 1, 2) == "/*") {
      inside = 1
      line = substr(line, 3)
    } else if (substr(line, 1, 2) == "//") {
      break
    } else if (match(line, /^"([^"\\]|\\.)*"/)) {
      flush_text(substr(line, 2, RLENGTH - 2))
      line = substr(line, RLENGTH + 1)
    } else if (match(line, /^[A-Za-z_][A-Za-z_0-9]*/)) {
      print FILENAME "\tname\t" substr(line, 1, RLENGTH)
      line = substr(line, RLENGTH + 1)
    } else if (match(line, /^([^"\/A-Za-z_]|\/[^*\/])+/)) {
      # a slash takes the sign behind it along, unless that begins a text or a name
      if (match(line, /^[^"\/A-Za-z_]+/)) line = substr(line, RLENGTH + 1)
      else line = substr(line, 2)
    } else {
      line = substr(line, 2)
    }
  }
}
