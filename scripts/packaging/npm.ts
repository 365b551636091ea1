import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeProgram } from './program.ts'

/** The tarball that `npm install --global FILE` takes. It returns the file. */
export const packForNpm = (out: string): string => {
  const folder = join(out, 'npm')
  makeProgram(folder)
  mkdirSync(out, { recursive: true })
  const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return join(out, fileNameIn(JSON.parse(told)))
}

/** npm says it in a list, and since version 12 by the names of packages. */
const fileNameIn = (told: unknown): string => {
  const [packed] = Object.values(told as Readonly<Record<string, { readonly filename: string }>>)
  if (!packed) throw new Error('npm pack has not said what it made')
  return packed.filename
}
