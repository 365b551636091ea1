import { writeSync } from 'node:fs'
import { answer, results, talk } from './talk.mjs'

talk(({ id }) => {
  for (let line = 0; line < 300; line += 1) writeSync(2, `line ${line}, the key is ${process.env.KEY}\n`)
  answer(id, results('written'))
})
