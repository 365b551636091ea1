# One that has left its group and its parent, and tells where it is in a file.
read -r _
setsid sh -c 'sleep 600 & echo $! > daemon; sleep 600' </dev/null >/dev/null 2>&1 &
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"name":"daemon","displayName":"Daemon","version":"1","protocolVersion":"1.0","capabilities":{}}}'
read -r _
while [ ! -s daemon ]; do :; done
printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":"pong"}'
read -r _
