import { say, talk } from './talk.mjs'

talk(({ id }) => say({ id, result: { results: [] } }))
