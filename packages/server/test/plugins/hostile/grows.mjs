import { talk } from './talk.mjs'

const kept = []
talk(() => {
  for (;;) kept.push({ more: kept.length })
})
