# For fill.sh: a page with what the files of the folder `facts` say between its marks. A mark that stands
# at the start of a line of text would turn that line into HTML, so there it must be alone.

function complain(what) {
  print FILENAME ":" FNR ": " what > "/dev/stderr"
  wrong = 1
}

function fact(key,    text, line, got, file) {
  file = facts "/" key
  while ((got = (getline line < file)) > 0) {
    text = text (text == "" ? "" : "\n") line
  }
  close(file)
  if (got < 0) {
    complain("facts.sh has no \"" key "\"")
  }
  return text
}

function key_of(mark) {
  sub(/^<!-- n: /, "", mark)
  sub(/ -->$/, "", mark)
  return mark
}

inside != "" && !/^<!-- end -->$/ {
  next
}

/^<!-- end -->$/ {
  inside = ""
  print
  next
}

/^<!-- n: [^ ]+ -->$/ {
  inside = $0
  print
  print fact(key_of($0))
  next
}

{
  done = ""
  rest = $0
  if (rest ~ /^ *<!-- (n: [^ ]+|end) -->/) {
    complain("a mark at the start of a line must be alone there")
  }
  while (match(rest, /<!-- n: [^ ]+ -->/)) {
    done = done substr(rest, 1, RSTART + RLENGTH - 1) fact(key_of(substr(rest, RSTART, RLENGTH)))
    rest = substr(rest, RSTART + RLENGTH)
    end = index(rest, "<!-- end -->")
    if (end == 0) {
      complain("no <!-- end --> on the line of a mark")
      break
    }
    rest = substr(rest, end)
  }
  print done rest
}

END {
  if (inside != "") {
    complain("no <!-- end --> after " inside)
  }
  exit wrong
}
