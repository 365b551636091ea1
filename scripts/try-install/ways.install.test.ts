import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { root } from '../packaging/locked.ts'
import { ways } from './ways.ts'

const longestMs = 30 * 60 * 1000

/** What it says is shown at once: it takes minutes. */
const tryInstall = (name: string): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/try-install.ts', name], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      process.stdout.write(text)
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

test.for(ways)('from nothing to a comic on the screen: $name', { timeout: longestMs }, async ({ name }, { skip }) => {
  const { code, output } = await tryInstall(name)
  skip(output.includes('NOT TRIED'), output)
  expect(code).toBe(0)
  expect(output).toContain('a comic on the screen')
})
