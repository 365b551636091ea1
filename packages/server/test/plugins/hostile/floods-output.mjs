import { say, talk } from './talk.mjs'

talk(() => {
  for (;;) say({ jsonrpc: '2.0', method: 'log', params: { text: 'and another thing' } })
})
