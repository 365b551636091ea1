import { manifest, talk } from './talk.mjs'

talk(() => undefined, { initialize: () => (setTimeout(() => process.exit(1), 20), manifest) })
