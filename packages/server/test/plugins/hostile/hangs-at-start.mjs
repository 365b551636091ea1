import { talk } from './talk.mjs'

talk(() => undefined, { initialize: () => undefined })
