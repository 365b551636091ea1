import { readFileSync } from 'node:fs'
import { report } from './talk.mjs'

const tried = (path) => {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    return error.code
  }
}
report(() => JSON.stringify({ env: process.env, parent: tried(`/proc/${process.ppid}/environ`) }))
