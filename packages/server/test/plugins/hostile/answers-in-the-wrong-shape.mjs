import { answer, talk } from './talk.mjs'

talk(({ id }) => answer(id, { results: 'plenty' }))
