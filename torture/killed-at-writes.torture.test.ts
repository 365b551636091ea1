import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsOfFile } from '../packages/server/test/smoke/calls.ts'
import { testPassword } from '../packages/server/test/smoke/carrel.ts'
import { run } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { contentOf, schemaOf, writeDataOfBefore } from '../packages/server/test/upgrade/data-of-before.ts'
import { cutPower } from './disk/cut-power.ts'
import { type Call, calls } from './disk/plan.ts'
import { faultyDisk, requireFaultyDisk } from './disk/preload.ts'
import { snapshotOf } from './disk/replay.ts'
import { unsound } from './numbered-writes.ts'

const call = callsOfFile()
/** Everything that changes a disk. */
const every = Object.keys(calls) as Call[]

/** The first ones one by one at growing distances, then evenly to the end. */
const numbersUpTo = (total: number, count: number): number[] => {
  const doubling = Array.from({ length: 30 }, (_, power) => 2 ** power).filter((number) => number <= total)
  const even = Array.from({ length: count }, (_, index) => Math.max(1, Math.round(((index + 1) * total) / count)))
  return [...new Set([...doubling, ...even])].sort((a, b) => a - b)
}

const folderOfBefore = async () => {
  const folder = await temporaryFolder()
  const data = join(folder.path, 'data')
  await mkdir(data, { mode: 0o700 })
  const file = join(data, 'carrel.db')
  await writeDataOfBefore(file)
  return { cwd: folder.path, data, file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

/** The index of words is the same however its pages lie; when it was migrated, and what is made by chance, is another each time. */
const rowsOf = (file: string) =>
  Object.fromEntries(
    Object.entries(contentOf(file))
      .filter(([table]) => !table.includes('_search_text') && table !== 'secret')
      .map(([table, rows]) => [table, rows.map((row) => withoutChance(table, row))]),
  )

const withoutChance = (table: string, { changed_at: at, ...row }: Readonly<Record<string, unknown>>) => {
  if (table === 'schema_version') return row
  if (table === 'change_mark') return { reader: row['reader'] }
  return { ...row, at }
}

test('A5 P-13 a migration that is killed at any change of the disk is finished by the next, as if nothing had been', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  await using toolFolder = await temporaryFolder()
  await using control = await folderOfBefore()
  const counting = faultyDisk(control.cwd, toolFolder.path)
  counting.plan.count({ calls: every })
  expect(await run(['migrate'], { cwd: control.cwd, env: counting.env })).toMatchObject({ code: 0 })
  const total = counting.plan.counted()
  const [rows, schema] = [rowsOf(control.file), schemaOf(control.file)]
  const numbers = numbersUpTo(total, times(6, 120, 30))
  const wrong: string[] = []

  for (const number of numbers) {
    await using folder = await folderOfBefore()
    await using own = await temporaryFolder()
    const { plan, env } = faultyDisk(folder.cwd, own.path)
    plan.kill({ calls: every, from: number, until: number })
    const killed = await run(['migrate'], { cwd: folder.cwd, env })
    plan.end()
    const again = await run(['migrate'], { cwd: folder.cwd })
    if (again.code !== 0) wrong.push(`${number}: ${again.stderr}`)
    expect([number, killed.signal ?? killed.code]).not.toEqual([number, 0])
    expect([number, unsound(folder.file)]).toEqual([number, []])
    expect(schemaOf(folder.file)).toEqual(schema)
    expect(rowsOf(folder.file)).toEqual(rows)
  }

  tell({ id: 'A5', what: `kills of a migration of ${total} changes`, tries: numbers.length, lost: wrong.length })
  expect(wrong).toEqual([])
})

test('A4 P-2 P-13 power cuts in the middle of a migration: the next one ends where an undisturbed one does', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  await using toolFolder = await temporaryFolder()
  await using folder = await folderOfBefore()
  const before = snapshotOf(folder.data)
  const { env, journal } = faultyDisk(folder.data, toolFolder.path)
  expect(await run(['migrate'], { cwd: folder.cwd, env })).toMatchObject({ code: 0 })
  const [rows, schema] = [rowsOf(folder.file), schemaOf(folder.file)]

  const { lost, states } = await cutPower(
    { journal, data: folder.data, before, acknowledged: [], sent: new Map() },
    {
      cuts: times(2, 60, 12),
      inspect: async (data) => {
        const { code, stderr } = await call(['migrate'], { cwd: join(data, '..') })
        if (code !== 0) return [stderr]
        const file = join(data, 'carrel.db')
        const isSame =
          JSON.stringify(rowsOf(file)) === JSON.stringify(rows) &&
          JSON.stringify(schemaOf(file)) === JSON.stringify(schema)
        return [...unsound(file).map((each) => JSON.stringify(each)), ...(isSame ? [] : ['it ends elsewhere'])]
      },
    },
  )

  tell({ id: 'A4', what: 'power cuts in a migration', tries: states, lost: lost.length })
  expect(lost).toEqual([])
})

test('A5 H2 P-15 a backup that is killed at any change of the disk leaves nothing with a name, and the next one is made', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  await using folder = await temporaryFolder()
  await using toolFolder = await temporaryFolder()
  const cwd = folder.path
  await call(['user', 'add', 'ana', '--role', 'admin'], { cwd, input: testPassword })
  const backups = join(cwd, 'data/backups')
  const finished = async (): Promise<string[]> =>
    (await readdir(backups).catch(() => [])).filter((name) => name.endsWith('.zip'))
  const counting = faultyDisk(cwd, toolFolder.path)
  counting.plan.count({ calls: every })
  expect(await run(['backup'], { cwd, env: counting.env })).toMatchObject({ code: 0 })
  const total = counting.plan.counted()
  const numbers = numbersUpTo(total, times(6, 120, 30))
  const wrong: string[] = []

  for (const number of numbers) {
    await using own = await temporaryFolder()
    const { plan, env } = faultyDisk(cwd, own.path)
    plan.kill({ calls: every, from: number, until: number })
    const before = await finished()
    const killed = await run(['backup'], { cwd, env })
    plan.end()
    const there = await finished()
    expect(there).toEqual(expect.arrayContaining(before))
    const after = there.filter((name) => !before.includes(name))
    expect([number, killed.signal ?? killed.code]).not.toEqual([number, 0])
    for (const name of after) {
      // Killed after it had its name it is whole.
      const { code, stderr } = await call(['restore', '--verify-only', join(backups, name)], { cwd })
      if (code !== 0) wrong.push(`${number}: ${name} ${stderr}`)
    }
    const again = await run(['backup'], { cwd })
    if (again.code !== 0) wrong.push(`${number}: ${again.stderr}`)
    expect((await readdir(backups)).filter((name) => !name.endsWith('.zip'))).toEqual([])
  }

  tell({ id: 'A5', what: `kills of a backup of ${total} changes`, tries: numbers.length, lost: wrong.length })
  expect(wrong).toEqual([])
})
