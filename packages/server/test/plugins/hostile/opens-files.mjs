import { closeSync, openSync } from 'node:fs'
import { report } from './talk.mjs'

report(() => {
  const open = []
  try {
    for (;;) open.push(openSync('mine', 'w'))
  } catch (error) {
    for (const file of open) closeSync(file)
    throw error
  }
})
