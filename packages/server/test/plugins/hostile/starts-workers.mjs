import { Worker } from 'node:worker_threads'
import { report } from './talk.mjs'

report(() => new Worker('for (;;);', { eval: true }).threadId)
