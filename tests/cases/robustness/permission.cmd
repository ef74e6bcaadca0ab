# A file that belongs to another user. Root can read everything, so the program runs as the user nobody then.
echo 'notice(1)' > site.pp
chmod 0 site.pp
chmod a+rx .
if [ "$(id -u)" = 0 ]; then
  cp "$(command -v bunraku)" ./bunraku
  setpriv --reuid=65534 --regid=65534 --clear-groups ./bunraku catalog compile n "$PWD/site.pp"
else
  bunraku catalog compile n "$PWD/site.pp"
fi
