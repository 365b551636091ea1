import { writeFileSync } from 'node:fs'
import { answer, results, talk } from './talk.mjs'

talk(({ id }) => {
  for (let file = 0; file < 30; file += 1) writeFileSync(`kept-${file}`, Buffer.alloc(1024 * 1024))
  answer(id, results('kept'))
})
