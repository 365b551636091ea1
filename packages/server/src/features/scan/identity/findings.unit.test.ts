import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Findings, withoutUnseen } from './findings.ts'
import { Spool } from '../walker/spool.ts'
import type { WalkedFile, StoredFile, WalkSummary } from '../walker/messages.ts'

const walkedFile = (name: string): WalkedFile => ['A/', name, 1, 2, 3, 4, 5, 0]
const storedFile = (name: string): StoredFile => [`id of ${name}`, ...walkedFile(name)]
const summary = (code?: string): WalkSummary => ({
  rootError: code === undefined ? undefined : { path: '/', code },
  device: 1,
  inode: 1,
  isEmpty: false,
  filesSeen: 0,
  filesKnown: 0,
  errors: [],
  errorCount: 0,
  emptiedFolders: [],
})
const sidecarsOf = (rootId: string) => ({ rootId, added: [], changed: [], vanished: [] })

test('LIB-6 W14 of a root whose walk was given up half way nothing counts, and of others everything', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-findings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const added = await Spool.open(folder, 'scan')
  await added.add('hung', [walkedFile('1'), walkedFile('2')])
  await added.add('fine', [walkedFile('3')])
  const root = (id: string) => ({ id, path: `/${id}`, device: 1, inode: 1 })
  const findings: Findings = {
    walked: [
      { root: root('hung'), folder: '', summary: summary('ETIMEDOUT') },
      { root: root('fine'), folder: '', summary: summary() },
    ],
    added,
    changed: ['hung', 'fine'].map((rootId) => ({ rootId, stored: storedFile('4') })),
    vanished: ['hung', 'fine', 'removed'].map((rootId) => ({ rootId, stored: storedFile('5') })),
    sidecars: ['hung', 'fine'].map(sidecarsOf),
  }

  const seen = withoutUnseen(findings)

  const rootsOf = (all: readonly { readonly rootId: string }[]) => all.map(({ rootId }) => rootId)
  expect(rootsOf(seen.changed)).toEqual(['fine'])
  expect(rootsOf(seen.vanished)).toEqual(['fine', 'removed'])
  expect(rootsOf(seen.sidecars)).toEqual(['fine'])
  expect(seen.added.count).toBe(1)
  for await (const batch of seen.added.batches(10)) expect(batch).toEqual([{ rootId: 'fine', walked: walkedFile('3') }])
})
