import { say, talk } from './talk.mjs'

talk(({ id }) => say(`{"jsonrpc":"2.0","id":${id},"result":${'['.repeat(10_000)}${']'.repeat(10_000)}}`))
