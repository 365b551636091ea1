# Two hundred that stay, as soon as it is asked anything.
read -r _
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"name":"forks","displayName":"Forks","version":"1","protocolVersion":"1.0","capabilities":{}}}'
read -r _
i=0
while [ $i -lt 200 ]; do
  sleep 600 &
  i=$((i + 1))
done
sleep 600
