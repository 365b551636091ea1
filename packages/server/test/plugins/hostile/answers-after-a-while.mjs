import { answer, results, talk } from './talk.mjs'

talk(({ id }) => setTimeout(() => answer(id, results('at last')), 300))
