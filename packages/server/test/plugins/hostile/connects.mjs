import { connect } from 'node:net'
import { answer, results, talk } from './talk.mjs'

talk(({ id, params }) => {
  const socket = connect({ host: '127.0.0.1', port: Number(params.query) })
  socket.on('connect', () => answer(id, results('connected')))
  socket.on('error', (error) => answer(id, results(`refused: ${error.code}`)))
})
