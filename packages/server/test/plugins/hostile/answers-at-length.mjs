import { answer, results, talk } from './talk.mjs'

talk(({ id }) => answer(id, results('x'.repeat(2_000_000))))
