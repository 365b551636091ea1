import { writeSync } from 'node:fs'
import { talk } from './talk.mjs'

talk(() => writeSync(1, Buffer.from([0xff, 0xfe, 0xc0, 0x0a])))
