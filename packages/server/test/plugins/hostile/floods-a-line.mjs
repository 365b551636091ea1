import { writeSync } from 'node:fs'
import { talk } from './talk.mjs'

talk(() => {
  for (;;) writeSync(1, 'x'.repeat(65_536))
})
