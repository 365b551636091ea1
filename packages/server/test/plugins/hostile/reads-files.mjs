import { readFileSync } from 'node:fs'
import { answer, results, talk } from './talk.mjs'

talk(({ id, params }) => {
  try {
    answer(id, results(readFileSync(params.query, 'latin1')))
  } catch (error) {
    answer(id, results(`refused: ${error.code}`))
  }
})
