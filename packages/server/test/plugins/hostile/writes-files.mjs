import { writeFileSync } from 'node:fs'
import { answer, results, talk } from './talk.mjs'

talk(({ id, params }) => {
  try {
    writeFileSync(params.query, 'I was here')
    answer(id, results('written'))
  } catch (error) {
    answer(id, results(`refused: ${error.code}`))
  }
})
