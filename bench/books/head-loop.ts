import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readZipDirectory, zipEntryStart } from '../../packages/server/src/formats/archive/zip.ts'
import { BookFault } from '../../packages/server/src/formats/book-format.ts'
import { isNamedAsPicture } from '../../packages/server/src/formats/picture-members.ts'
import { openLibraryFile } from '../../packages/server/src/platform/storage/library-files.ts'

// The least a scan can do: open each book, read the directory of a ZIP and the first 4 KiB of each page; of anything else
// the first 4 KiB. One thread, nothing kept. Prints how long it took, what it cost, and how many heads it saw.
const headBytes = 4096
const root = process.argv[2] ?? ''
let heads = 0

const readHead = (path: string): void => {
  const file = openLibraryFile(path)
  try {
    if (file.read(0, headBytes).toString('latin1', 0, 2) !== 'PK') return
    for (const entry of readZipDirectory(file).entries) {
      if (!isNamedAsPicture(entry)) continue
      zipEntryStart(file, entry, headBytes)
      heads += 1
    }
  } catch (error) {
    if (!(error instanceof BookFault)) throw error
  } finally {
    file.close()
  }
}

const walk = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) walk(path)
    else readHead(path)
  }
}

const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
walk(root)
const { user, system } = process.cpuUsage(cpuBefore)
console.log(JSON.stringify({ ms: performance.now() - startedAt, cpuMs: (user + system) / 1000, heads }))
