import { join, resolve } from 'node:path'
import { mkdir, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Config, configFromEnvironment } from '../config.ts'
import { coverStore } from '../features/covers/covers.ts'
import { readSidecars, writeSidecars } from '../features/sidecars/sidecars.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { clock, type Installation, openInstallation, quietLog } from './installation.ts'
import { progressLine } from './progress-line.ts'

export const exportSidecarsCommand: Command = {
  help: `Usage: carrel export sidecars [FOLDER]

Writes a file for each book and each series: what is shown of it, what people and plugins have said of it, the covers they have
given it, and where people have put it. Without a FOLDER they go into the folder sidecars of the data directory. The server may run meanwhile. A second run writes only what says
something else by now. Nothing is written over that is not ours.

Exit code 0: all are there. 4: files of others are in the way of some.`,
  run: (args) =>
    working(args, 'Sidecars', async ({ database, config }, folder, onDone) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const options = { into: { folder }, pictures: coverStore(config), now: clock(), onDone }
      const { written, unchanged, inTheWay } = await writeSidecars(database.readSlowly, options)
      say(`${folder}: ${written} written, ${unchanged} as they were${inTheWay > 0 ? `, ${inTheWay} in the way` : ''}.`)
      return inTheWay > 0 ? exitCodes.incomplete : exitCodes.done
    }),
}

export const importFromSidecarsCommand: Command = {
  help: `Usage: carrel import-from sidecars [FOLDER]

Says again what the files of carrel export sidecars say, of books and series of which nobody has said anything here, and puts
books into the series that people had put them into: make the libraries, let them be scanned, then call this. Without a FOLDER it reads the folder sidecars of the data directory. Books are
known by where they lie, or by their content. The server may run meanwhile.

Exit code 0: done. 4: some files are about nothing that is here, or cannot be read.`,
  run: (args) =>
    working(args, 'Sidecars', async ({ database, config }, folder, onDone) => {
      if (!(await stat(folder).catch(() => undefined))?.isDirectory())
        throw new UsageError(`There is no folder ${folder}.`)
      const options = { folder, pictures: coverStore(config), now: clock(), onDone }
      const { applied, put, left, unknown, unreadable } = await readSidecars(database, options)
      say(
        `${folder}: ${applied} said again, ${put} books put where they were, ${left} left as they are, ${unknown} about nothing here, ${unreadable} unreadable.`,
      )
      return unknown + unreadable > 0 ? exitCodes.incomplete : exitCodes.done
    }),
}

type Work = (installation: Installation, folder: string, onDone: (done: number) => void) => Promise<number>

const working = async (args: readonly string[], label: string, work: Work): Promise<number> => {
  const config = configFromEnvironment()
  const folder = folderIn(args, config)
  const installation = await openInstallation(config, quietLog(config))
  const line = progressLine(process.stderr)
  try {
    return await work(installation, folder, (done) => line.show({ label, step: 'files', done, total: undefined }))
  } finally {
    line.clear()
    await installation.database.close()
  }
}

const folderIn = (args: readonly string[], { dataDir }: Config): string => {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
  const [name, ...more] = positionals
  if (name === '' || more.length > 0) throw new UsageError('Name one folder, or none.')
  return name === undefined ? join(dataDir, 'sidecars') : resolve(name)
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
