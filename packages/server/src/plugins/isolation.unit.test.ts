import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { machines, requireMachine } from '../../test/plugins/machines.ts'
import { confine } from './isolation.ts'

const run = promisify(execFile)

test.for(machines)(
  'G1 PLG-1 a program that lies in a folder it may read starts, on %s',
  async ([, machine], { skip }) => {
    requireMachine(machine, skip)
    const folder = await mkdtemp(join(tmpdir(), 'carrel-plugin-'))
    try {
      const { command, args } = confine(
        {
          command: process.execPath,
          args: ['-e', 'console.log("It runs.")'],
          isNode: true,
          folder,
          readable: [dirname(process.execPath)],
          reach: undefined,
          memoryMaxBytes: 512 * 1024 * 1024,
        },
        machine.means,
      )
      expect((await run(command, args, { cwd: folder })).stdout).toBe('It runs.\n')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)
