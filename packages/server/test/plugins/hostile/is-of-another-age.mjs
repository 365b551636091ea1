import { manifest, talk } from './talk.mjs'

talk(() => undefined, { initialize: () => ({ ...manifest, protocolVersion: '9.0' }) })
