import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** The least that is a plugin: a manifest, an answer to ping, and whatever the fixture does with the rest. */
export const manifest = {
  name: 'hostile',
  displayName: 'Hostile',
  version: '1.0.0',
  protocolVersion: '1.0',
  capabilities: { metadataProvider: ['series'] },
}

export const say = (message) => writeSync(1, `${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
export const answer = (id, result) => say({ jsonrpc: '2.0', id, result })
export const results = (...titles) => ({ results: titles.map((title) => ({ externalId: title, title })) })

/** `handle` is given every message but those it leaves out: initialize, ping and shutdown have an ordinary answer. */
export const talk = (handle, ordinary = {}) => {
  const { initialize = () => manifest, ping = () => 'pong', shutdown = () => null } = ordinary
  const usual = { initialize, ping, shutdown }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line)
    const own = usual[message.method]
    if (!own) return handle(message)
    const result = own(message)
    if (result !== undefined) answer(message.id, result)
    if (message.method === 'shutdown' && result !== undefined) process.exit(0)
  })
}

/** Answers with what came of an attempt: the title of the one result is it. */
export const report = (attempt) =>
  talk(async ({ id }) => {
    try {
      answer(id, results(String(await attempt())))
    } catch (error) {
      answer(id, results(`refused: ${error.code ?? error.message}`))
    }
  })
