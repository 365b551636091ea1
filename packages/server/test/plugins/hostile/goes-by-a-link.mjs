import { readFileSync, symlinkSync } from 'node:fs'
import { answer, results, talk } from './talk.mjs'

talk(({ id, params }) => {
  try {
    symlinkSync(params.query, 'way-out')
    answer(id, results(readFileSync('way-out', 'latin1')))
  } catch (error) {
    answer(id, results(`refused: ${error.code}`))
  }
})
