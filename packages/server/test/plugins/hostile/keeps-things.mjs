import { answer, results, say, talk } from './talk.mjs'

// The query says what to do with the storage: a method of storage, and its parameters as JSON.
const waiting = new Map()
let last = 0
talk((message) => {
  if (message.method === undefined) {
    const id = waiting.get(message.id)
    return answer(id, results(JSON.stringify(message.result ?? { refused: message.error.code })))
  }
  const [method, params] = message.params.query.split(' ')
  last += 1
  waiting.set(`mine ${last}`, message.id)
  say({ jsonrpc: '2.0', id: `mine ${last}`, method: `storage/${method}`, params: JSON.parse(params ?? '{}') })
})
