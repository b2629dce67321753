#!/usr/bin/env bash
# The Debian package: made by cpack, with the program, its pages and the libraries it needs; what is in it
# runs. usage: package.sh BUILD-FOLDER CPACK
. "$(dirname "${BASH_SOURCE[0]}")/work_lib.sh"
build=$(realpath "$1")
cpack=$2
for tool in dpkg-deb dpkg-shlibdeps; do
  command -v "$tool" > /dev/null || { echo "skipped: $tool is not installed (package dpkg-dev)"; exit 77; }
done
cd "$work"

"$cpack" --config "$build/CPackConfig.cmake" -B "$work/made" > log 2>&1 || { cat log; exit 1; }
package=$(ls made/*.deb)
dpkg-deb --field "$package" > fields
dpkg-deb --contents "$package" | awk '{ print $6 }' > contents
for file in bin/cqopt share/man/man1/cqopt.1 share/man/man1/cqopt-solve.1 \
  share/bash-completion/completions/cqopt share/zsh/vendor-completions/_cqopt share/doc/cqopt/copyright; do
  grep -qx "./usr/$file" contents || fail "the package has no /usr/$file"
done
! grep -v '^\./usr/' contents | grep -qvx '\./' || fail "files outside of /usr: $(grep -v '^\./usr/' contents)"
grep -qx 'Package: cqopt' fields || fail "its name: $(cat fields)"
grep -qx 'Maintainer: cqopt developers' fields || fail "whose it is: $(grep Maintainer fields)"
for library in libc6 libgsl libconfig libhdf5 libnlopt; do
  grep -q "^Depends:.*$library" fields || fail "it does not depend on $library: $(grep Depends fields)"
done
dpkg-deb --extract "$package" root
"root/usr/bin/cqopt" --version > said && "root/usr/bin/cqopt" evaluate bounce > said || fail "the program does not run"
grep -q '"status": "OK"' said || fail "the program of the package says $(cat said)"
cat fields
finish
