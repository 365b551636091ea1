import { appendFileSync } from 'node:fs'
import { report } from './talk.mjs'

process.on('SIGXFSZ', () => undefined)
report(() => {
  for (;;) appendFileSync('mine', Buffer.alloc(8 * 1024 * 1024))
})
