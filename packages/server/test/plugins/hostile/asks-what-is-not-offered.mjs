import { answer, results, say, talk } from './talk.mjs'

let asked
talk((message) => {
  if (message.method === undefined) return answer(asked, results(String(message.error?.code)))
  asked = message.id
  say({ jsonrpc: '2.0', id: 'mine', method: 'users/list_passwords', params: {} })
})
