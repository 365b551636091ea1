import { talk } from './talk.mjs'

talk(() => undefined)
