import { get } from 'node:http'
import { answer, results, talk } from './talk.mjs'

// Any certificate will do, because the page is a test's.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'

const read = (response) =>
  new Promise((resolve, reject) => {
    const parts = []
    response.on('data', (part) => parts.push(part))
    response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(parts).toString()}`))
    response.on('error', reject)
  })
const plainly = (url) => new Promise((resolve, reject) => get(url, (got) => resolve(read(got))).on('error', reject))
const fetched = async (url) => {
  const reply = await fetch(url)
  return `${reply.status} ${await reply.text()}`
}

// A plugin that knows of no proxy does it like this.
talk(async ({ id, params: { query } }) => {
  try {
    const said = query.startsWith('get ') ? await plainly(query.slice(4)) : await fetched(query)
    answer(id, results(said))
  } catch (error) {
    const { cause = error } = error
    answer(id, results(`refused: ${cause.code ?? ''} ${cause.message}`))
  }
})
