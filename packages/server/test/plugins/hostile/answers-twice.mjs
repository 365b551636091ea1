import { answer, results, talk } from './talk.mjs'

talk(({ id }) => {
  answer(id, results('first'))
  answer(id, results('second'))
})
