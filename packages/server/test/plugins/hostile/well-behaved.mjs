import { answer, results, talk } from './talk.mjs'

talk(({ id, params }) => answer(id, results(params.query)))
