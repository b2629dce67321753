#!/usr/bin/env bash
# What is installed works without what it was built of: into an empty prefix, which moves elsewhere;
# then the examples in C and C++ are built against it with pkg-config, by CMake and with the archive,
# and run. Nothing there may name the folders of source and build.
#   tests/install.sh CMAKE BUILD SOURCE
set -euo pipefail
cmake=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

"$cmake" --install "$build" --prefix "$work/first" > "$work/log" || fail "the install failed: $(cat "$work/log")"
mv "$work/first" "$work/moved"
prefix=$work/moved
cp -r "$source/examples/c" "$work/examples"
named=$(grep -rIlF -e "$source" -e "$build" -e "$work/first" "$prefix" || true)
[ -z "$named" ] || fail "these name a folder that will not be there: $named"

# headers of the API alone
headers=$(find "$prefix/include" -type f | grep -v '/include/cqopt/[a-z]*\.h$' || true)
[ -z "$headers" ] || fail "these are no headers of the API: $headers"

# programs COMMAND: what the examples say, each run in an empty environment beside no source
programs() {
  for name in objective steps vjp evaluate; do
    (cd "$work" && env -i PATH=/usr/bin:/bin OMP_WAIT_POLICY=passive LD_LIBRARY_PATH="$1" "$2/$name") ||
      fail "$name of $2 failed"
  done
}

libdir=$(dirname "$(find "$prefix" -name libcqopt.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
cd "$work"
read -ra flags < <(pkg-config --cflags --libs cqopt)
for header in "$prefix"/include/cqopt/*.h; do
  cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -xc "$header" "${flags[0]}"
  c++ -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -xc++ "$header" "${flags[0]}"
done
mkdir by_pc by_archive
for name in objective steps vjp; do
  cc -std=c99 -pedantic -Wall -Wextra -Werror "examples/$name.c" "${flags[@]}" -o "by_pc/$name"
done
c++ -std=c++11 -pedantic -Wall -Wextra -Werror examples/evaluate.cpp "${flags[@]}" -o by_pc/evaluate
programs "$libdir" "$work/by_pc" | tee said
grep -q '^x = (0.305855, 0.787693), f = 0.714007' said || fail "the objective has another optimum"
[ "$(grep -c '^state' said)" = 15 ] || fail "the run has other steps"
[ "$(grep -c '^dL/d' said)" = 3 ] || fail "the pull has other gradients"
grep -q '^f = ' said || fail "C++ has no value"

{
  "$cmake" -S examples -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release
  "$cmake" --build by_cmake
} > log 2>&1 || fail "CMake cannot use the package: $(cat log)"
programs "" "$work/by_cmake" | cmp - said || fail "the programs by CMake say something else"

# the archive, with what pkg-config says it needs
cp -r "$prefix" alone
find alone -name 'libcqopt.so*' -delete
export PKG_CONFIG_PATH=${PKG_CONFIG_PATH/#$prefix/$work/alone}
read -ra flags < <(pkg-config --static --cflags --libs cqopt)
for name in objective steps vjp; do
  cc -std=c99 "examples/$name.c" "${flags[@]}" -o "by_archive/$name"
done
c++ -std=c++11 examples/evaluate.cpp "${flags[@]}" -o by_archive/evaluate
! ldd by_archive/vjp | grep -q libcqopt || fail "that is not the archive"
programs "" "$work/by_archive" | cmp - said || fail "the programs with the archive say something else"

# the program that was installed runs, and is of this version
version=$(sed -n 's/^Version: //p' "$libdir/pkgconfig/cqopt.pc")
env -i PATH=/usr/bin:/bin "$prefix/bin/cqopt" --version | grep -qF "$version" || fail "the program has another version"
