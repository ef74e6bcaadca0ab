# Files from a web server: contents, checksums, redirections, failures; and reports that are sent to one.
# case: oracle=no timeout=120
mkdir -p conf got
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
echo '{}' > facts.json
cat > server.rb <<'END'
require 'socket'
require 'digest'
server = TCPServer.new('127.0.0.1', 0)
File.write('port', server.addr[1].to_s)
contents = "from the web\n"
loop do
  client = server.accept
  request = client.gets.to_s
  fields = {}
  while (line = client.gets) && line != "\r\n"
    name, value = line.chomp.split(': ', 2)
    fields[name.downcase] = value
  end
  body = client.read(fields['content-length'].to_i)
  method, path, = request.split
  File.open('requests', 'a') { |file| file.puts "#{method} #{path} #{fields['content-type']} #{fields['range']}".strip }
  status, more, answer =
    case path
    when '/sha256' then ['200 OK', "X-Checksum-Sha256: #{Digest::SHA256.hexdigest(contents)}\r\n", contents]
    when '/md5' then ['200 OK', "Content-MD5: #{Digest::MD5.base64digest(contents)}\r\n", contents]
    when '/dated' then ['200 OK', "Last-Modified: Sun, 22 Nov 2020 17:20:20 GMT\r\n", contents]
    when '/moved' then ['302 Found', "Location: /sha256\r\n", '']
    when '/around' then ['302 Found', "Location: /around\r\n", '']
    when '/no-head' then method == 'HEAD' ? ['405 Method Not Allowed', '', ''] : ['200 OK', "X-Checksum-Sha256: #{Digest::SHA256.hexdigest(contents)}\r\n", contents]
    when '/broken' then ['500 Internal Server Error', '', 'no']
    when '/reports' then File.write('report', body.to_s) && ['200 OK', '', '']
    else ['404 Not Found', '', 'nothing']
    end
  length = path == '/short' ? 100 : answer.bytesize
  client.write("HTTP/1.1 #{status}\r\n#{more}Content-Length: #{length}\r\nConnection: close\r\n\r\n#{method == 'HEAD' ? '' : answer}")
  client.close
end
END
ruby server.rb & server=$!
trap 'kill $server' EXIT
while ! [ -s port ]; do sleep 0.05; done
url=http://127.0.0.1:$(cat port)
apply() {
  { bunraku apply $settings --facts facts.json --certname n --detailed-exitcodes "$@" 2>&1 || echo "exit $?"; } |
    sed -e "s,$url,<url>,g" -e "s,$PWD,<here>,g" -e 's/{mtime}[-0-9 :UTC]*/{mtime}<time>/g' | grep -v '^Notice: Compiled\|^Notice: Applied' || true
}
for path in sha256 md5 dated moved no-head around broken none; do
  checksum=sha256
  [ "$path" != md5 ] || checksum=md5
  [ "$path" != dated ] || checksum=mtime
  echo "# $path"
  apply -e "file { '$PWD/got/$path': source => '$url/$path', checksum => $checksum }"
  apply -e "file { '$PWD/got/$path': source => '$url/$path', checksum => $checksum }" | sed 's/^/again: /'
done
echo "# the first that is there"
apply -e "file { '$PWD/got/first': source => ['$url/none', '$url/sha256'] }"
echo "# a digest that is said"
apply -e "file { '$PWD/got/said': source => '$url/dated', checksum_value => '$(printf 'from the web\n' | sha256sum | cut -d' ' -f1)' }"
apply -e "file { '$PWD/got/wrong': source => '$url/dated', checksum_value => '$(printf 'else' | sha256sum | cut -d' ' -f1)' }" | sed 's/[0-9a-f]\{64\}/<sum>/g'
echo "# directories are none"
apply -e "file { '$PWD/got/tree': ensure => directory, recurse => true, source => '$url/sha256' }"
echo "# a port without a server"
kill $server; wait $server 2>/dev/null || true
apply -e "file { '$PWD/got/gone': source => '$url/sha256' }" | sed -e 's/ to open TCP.*//' -e 's/after [0-9.]* seconds/after <time> seconds/'
ls got; cat got/sha256
rm port
ruby server.rb & server=$!
while ! [ -s port ]; do sleep 0.05; done
url=http://127.0.0.1:$(cat port)
rm requests
echo "# a report is sent"
apply --reports http --reporturl "$url/reports" -e "notify { 'x': }"
cat requests; head -1 report; grep '^status' report
echo "# a report that is refused"
rm -rf var/reports
apply --reports http,store --reporturl "$url/broken" -e "notify { 'x': }"
find var/reports -name '*.yaml' | wc -l
apply --reports nosuch -e "notify { 'x': }"
