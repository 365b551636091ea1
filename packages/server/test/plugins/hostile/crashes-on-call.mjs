import { talk } from './talk.mjs'

talk(() => process.abort())
