import { writeSync } from 'node:fs'
import { talk } from './talk.mjs'

talk(() => {
  for (let line = 0; line < 2000; line += 1) writeSync(2, 'x'.repeat(1000))
  writeSync(2, `\u001B[2J\u001B]0;owned\u0007 the key is ${process.env.API_KEY}\r\n`)
  process.exit(1)
})
