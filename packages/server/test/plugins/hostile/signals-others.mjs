import { answer, results, talk } from './talk.mjs'

talk(({ id, params }) => {
  try {
    process.kill(Number(params.query), 0)
    answer(id, results('reached'))
  } catch (error) {
    answer(id, results(`refused: ${error.code}`))
  }
})
