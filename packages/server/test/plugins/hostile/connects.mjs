import { connect } from 'node:net'
import { answer, results, talk } from './talk.mjs'

// Past any proxy: to a port, to a port of an address, or to a socket that is a file.
talk(({ id, params: { query } }) => {
  const [, host = '127.0.0.1', port] = /^(?:(.+) )?(\d+)$/.exec(query) ?? []
  const socket = connect(port === undefined ? { path: query } : { host, port: Number(port), timeout: 3000 })
  socket.on('connect', () => answer(id, results('connected')))
  socket.on('timeout', () => socket.destroy(new Error('it waits')))
  socket.on('error', (error) => answer(id, results(`refused: ${error.code ?? error.message}`)))
})
