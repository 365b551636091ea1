import { answer, results, talk } from './talk.mjs'

// Each question is answered when the next one comes.
let waiting
talk(({ id, params }) => {
  if (waiting !== undefined) answer(waiting, results('too late'))
  waiting = params.query === 'slow' ? id : undefined
  if (waiting === undefined) answer(id, results('in time'))
})
