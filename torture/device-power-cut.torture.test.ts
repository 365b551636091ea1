import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { seed } from '../packages/server/test/seed.ts'
import { type Carrel, claim, signIn, startCarrel, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { endOf, run } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { cutDevice } from './device/cut-device.ts'
import { fileSystems, type RecordedDevice, recordedDevice, requireDevices } from './device/recorded-device.ts'
import { lookAtFile } from './disk/cut-power.ts'
import {
  emptyWriteLedger,
  giveCovers,
  prepareInstallation,
  storedIn,
  type StoredState,
  tortureEnv,
  type WriteLedger,
  writeNumbers,
} from './numbered-writes.ts'

console.log(`The moments of the power cuts of devices come from SEED=${seed}`)

/** Many clients write, and somebody gives covers; the server is killed, and then stopped. */
const recordServer = async (device: RecordedDevice, acknowledgements: number): Promise<WriteLedger> => {
  const cwd = device.folder
  const installation = await prepareInstallation(cwd)
  const ledger = emptyWriteLedger()
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await using carrel = await startCarrel({ cwd, env: tortureEnv })
    const reader = await signIn(carrel, 'ana')
    const enough = ledger.acknowledged.length + acknowledgements / 2
    const writing = writeNumbers(reader, installation, ledger, device.changeCount)
    await giveCovers(reader, installation, ledger, { count: 50, at: device.changeCount })
    await waitUntil('enough to be acknowledged', () => ledger.acknowledged.length >= enough)
    carrel.kill(signal)
    await endOf(carrel)
    await writing.over
  }
  expect([...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([])
  await device.unmount()
  return ledger
}

test.for(fileSystems)(
  'A3 P-2 after the power of a device goes, all that was acknowledged is there, and the covers that people gave: %s',
  async (fileSystem, { skip }) => {
    requireDevices(skip)
    await using folder = await temporaryFolder()
    await using device = await recordedDevice(folder.path, fileSystem)
    const { acknowledged, sent } = await recordServer(device, times(400, 4000, 1200))
    const inspect = (left: string, changeCount: number): string[] => {
      const changes = acknowledged.filter(({ at }) => at <= changeCount)
      return changes.length === 0 ? [] : lookAtFile(sent)(join(left, 'data'), changes)
    }

    const honest = await cutDevice(device, { cuts: times(40, 1000, 150), inspect })

    tell({
      id: 'A3',
      what: `${fileSystem}: ${acknowledged.length} acknowledgements, ${honest.changes} changes of the device`,
      tries: honest.states,
      lost: honest.statesWithFaults,
    })
    expect(honest.faults).toEqual([])

    // A device that does not do what it says: whoever finds nothing there finds nothing anywhere.
    const lying = await cutDevice(device, { cuts: times(10, 100, 30), ignoresFlush: true, inspect })
    tell({
      id: 'A3',
      what: `control: a device of ${fileSystem} that does not flush loses`,
      tries: lying.states,
      figure: lying.statesWithFaults,
      unit: 'states with losses',
    })
    expect(lying.statesWithFaults).toBeGreaterThan(lying.states * 0.3)
  },
)

const bookCount = 12
const scanEnv = { CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_LOG_FORMAT: 'json' }

/** A library is scanned and its covers are made, and the server is killed. It returns how far the device was when all books had been read. */
const recordScan = async (device: RecordedDevice, library: LibraryFolder): Promise<number> => {
  for (let book = 1; book <= bookCount; book += 1)
    await library.write(`Series ${book % 3}/Book ${book}.cbz`, comic({ seed: book, pages: 4 }))
  await using carrel = await startCarrel({ cwd: device.folder, env: scanEnv })
  const ana = await claim(carrel)
  bodyOf(await ana.call(api.createLibrary, { body: { name: 'Comics', roots: [library.path] } }))
  await waitUntil('all books to be read', async () => {
    const { data } = bodyOf(await ana.call(api.listBooks, { query: {} }))
    return data.length === bookCount && data.every(({ pageCount }) => pageCount > 0)
  })
  const readAt = device.changeCount()
  await waitUntil('all covers', async () => {
    const { data } = bodyOf(await ana.call(api.listBooks, { query: {} }))
    return data.every(({ placeholder }) => placeholder !== null)
  })
  carrel.kill('SIGKILL')
  await endOf(carrel)
  await device.unmount()
  return readAt
}

/** What is shown of the books in place of their covers. */
const wrongCovers = async (carrel: Carrel, { call, cookie }: Visitor): Promise<string[]> => {
  const { data } = bodyOf(await call(api.listBooks, { query: {} }))
  const faults = data.map(async ({ id, title }) => {
    const shown = await fetch(`${carrel.url}/media/books/${id}/thumbnail`, { headers: { cookie } })
    const bytes = Buffer.from(await shown.arrayBuffer())
    const isCover = shown.status === 200 && !shown.headers.get('etag')?.includes('blank')
    if (isCover && bytes.subarray(-2).toString('hex') === 'ffd9') return []
    return [`${title}: ${shown.status}, ${bytes.length} bytes, ${shown.headers.get('etag')}`]
  })
  return [...(data.length < bookCount ? [`${data.length} books`] : []), ...(await Promise.all(faults)).flat()]
}

test.for(fileSystems)(
  'A3 P-2 a server that is started on a device whose power went in a scan shows the covers of all books: %s',
  async (fileSystem, { skip }) => {
    requireDevices(skip)
    await using folder = await temporaryFolder()
    await using library = await libraryFolder()
    await using device = await recordedDevice(folder.path, fileSystem)
    const readAt = await recordScan(device, library)

    const { faults, states, changes } = await cutDevice(device, {
      cuts: times(3, 40, 10),
      from: readAt,
      inspect: async (left) => {
        await using carrel = await startCarrel({ cwd: left, env: { ...scanEnv, CARREL_ROLES: 'api' } })
        const wrong = await wrongCovers(carrel, await signIn(carrel, 'ana'))
        carrel.kill('SIGTERM')
        expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
        return wrong
      },
    })

    tell({
      id: 'A3',
      what: `${fileSystem}: starts over a scan, ${changes} changes`,
      tries: states,
      lost: faults.length,
    })
    expect(faults).toEqual([])
  },
)

test.for(fileSystems)(
  'A3 P-2 P-15 where the power of a device goes while a backup is put back, the database is the one before or that of the backup: %s',
  async (fileSystem, { skip }) => {
    requireDevices(skip)
    await using folder = await temporaryFolder()
    await using device = await recordedDevice(folder.path, fileSystem)
    const cwd = device.folder
    const installation = await prepareInstallation(cwd)
    const numbers = (dataDir: string) => storedIn(join(dataDir, 'carrel.db'))
    const write = async (): Promise<void> => {
      const ledger = emptyWriteLedger()
      await using carrel = await startCarrel({ cwd, env: tortureEnv })
      const writing = writeNumbers(await signIn(carrel, 'ana'), installation, ledger, device.changeCount)
      await waitUntil('some changes', () => ledger.acknowledged.length >= 50)
      writing.stop()
      await writing.over
      carrel.kill('SIGTERM')
      await endOf(carrel)
    }
    await write()
    const ofBackup = numbers(join(cwd, 'data'))
    expect(await run(['backup', '--to', 'backup.zip'], { cwd })).toMatchObject({ code: 0 })
    await write()
    const before = numbers(join(cwd, 'data'))
    const from = device.changeCount()

    expect(await run(['restore', 'backup.zip'], { cwd })).toMatchObject({ code: 0 })

    const putBackAt = device.changeCount()
    await device.unmount()
    const { faults, states, changes } = await cutDevice(device, {
      cuts: times(40, 400, 150),
      from,
      inspect: (left, changeCount) => {
        try {
          const after = JSON.stringify(numbersOf(numbers(join(left, 'data'))))
          const allowed = changeCount >= putBackAt ? [ofBackup] : [ofBackup, before]
          return allowed.some((state) => JSON.stringify(numbersOf(state)) === after) ? [] : [after]
        } catch (error) {
          return [`it cannot be opened: ${String(error)}`]
        }
      },
    })

    tell({ id: 'A3', what: `${fileSystem}: a restore, ${changes - from} changes`, tries: states, lost: faults.length })
    expect(numbersOf(before)).not.toEqual(numbersOf(ofBackup))
    expect(faults).toEqual([])
  },
)

const numbersOf = ({ unsound, numbers }: StoredState): object => ({
  unsound,
  numbers: [...numbers].map(String).toSorted(),
})
