import { talk } from './talk.mjs'

const kept = []
talk(() => {
  setInterval(() => kept.push(Buffer.alloc(32 * 1024 * 1024, 1)), 5)
})
