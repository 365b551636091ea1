import { answer, results, talk } from './talk.mjs'

process.on('SIGTERM', () => undefined)
process.on('SIGHUP', () => undefined)
process.stdin.on('end', () => undefined)
setInterval(() => undefined, 1000)
talk(({ id }) => answer(id, results('still here')), { shutdown: () => undefined })
