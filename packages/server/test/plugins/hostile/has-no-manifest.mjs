import { talk } from './talk.mjs'

talk(() => undefined, { initialize: () => ({ name: 'nobody' }) })
