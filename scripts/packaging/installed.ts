import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeProgram } from './program.ts'

export type Architecture = 'x64' | 'arm64'

/** The names by which Debian and container images know them. */
export const nameElsewhere: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

export const architectureNamed = (name: string | undefined): Architecture => {
  const architecture = (['x64', 'arm64'] as const).find((each) => each === name || nameElsewhere[each] === name)
  if (!architecture) throw new Error(`${name} is no architecture that Carrel is packaged for: amd64, arm64`)
  return architecture
}

/** The program with all it needs beside it, for Linux with glibc on another machine or this one. */
export const makeInstalled = (folder: string, architecture: Architecture): void => {
  makeProgram(folder)
  const target = ['--os=linux', `--cpu=${architecture}`, '--libc=glibc']
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...target], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  removeWhatNobodyReads(join(folder, 'node_modules'), architecture)
}

export const nodeIn = (architecture: Architecture): string => `node_modules/node-linux-${architecture}/bin/node`

const removeWhatNobodyReads = (modules: string, architecture: Architecture): void => {
  const unread = [
    '.bin',
    'better-sqlite3/deps',
    'better-sqlite3/src',
    'better-sqlite3/binding.gyp',
    `node-linux-${architecture}/include`,
    `node-linux-${architecture}/share`,
    `node-linux-${architecture}/CHANGELOG.md`,
    'sharp/install',
    'sharp/src',
    'node-addon-api',
  ]
  for (const path of unread) rmSync(join(modules, path), { recursive: true, force: true })
  const prebuilt = join(modules, 'better-sqlite3/prebuilds')
  const binaryName = `linux-${architecture}.node`
  if (!existsSync(join(prebuilt, binaryName))) throw new Error(`better-sqlite3 does not bring ${binaryName}`)
  for (const name of readdirSync(prebuilt)) if (name !== binaryName) rmSync(join(prebuilt, name))
}
