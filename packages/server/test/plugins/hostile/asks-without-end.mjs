import { say, talk } from './talk.mjs'

talk(() => {
  for (let id = 1; ; id += 1) say({ jsonrpc: '2.0', id, method: 'storage/get', params: { key: 'x' } })
})
