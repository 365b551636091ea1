import { answer, results, talk } from './talk.mjs'

talk(({ id }) => answer(id + 1000, results('for somebody else')))
