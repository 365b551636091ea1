import { spawnSync } from 'node:child_process'
import { report } from './talk.mjs'

report(() => spawnSync('/bin/sleep', ['0']).status)
