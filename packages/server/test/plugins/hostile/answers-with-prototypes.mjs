import { say, talk } from './talk.mjs'

talk(({ id }) =>
  say(
    `{"jsonrpc":"2.0","id":${id},"result":{"results":[],"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}}`,
  ),
)
