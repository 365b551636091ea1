import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EpubCheck } from '@likecoin/epubcheck-ts'

/** What is wrong with an EPUB: errors and warnings, by their numbers in EPUBCheck. */
export const faultsOfEpub = async (bytes: Buffer): Promise<readonly string[]> => {
  const { messages } = await EpubCheck.validate(bytes)
  return faultsIn(messages.map(({ id, severity, message }) => ({ ID: id, severity, message })))
}

/** Where there is a jar of it, EPUBCheck itself is asked; what it needs lies beside it, or in `lib` beside it. */
export const epubCheckJar = process.env['EPUBCHECK_JAR']

export const faultsByEpubCheck = async (jar: string, bytes: Buffer): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-epubcheck-'))
  try {
    const [book, report] = [join(folder, 'book.epub'), join(folder, 'report.json')]
    await writeFile(book, bytes)
    // It ends with 1 where it finds anything, and has written its report all the same.
    const classes = [join(dirname(jar), '*'), join(dirname(jar), 'lib', '*')].join(delimiter)
    const args = ['-cp', classes, 'com.adobe.epubcheck.tool.Checker', book, '--json', report]
    await promisify(execFile)('java', args).catch(() => undefined)
    const { messages } = JSON.parse(await readFile(report, 'utf8')) as { messages: readonly Fault[] }
    return faultsIn(messages.map((each) => ({ ...each, message: each.message.replaceAll(placeOfBook, '') })))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** It gives each book an address of its own. */
const placeOfBook = /https:\/\/[0-9a-f-]{36}\.epubcheck\.w3c\.org\//g

interface Fault {
  readonly ID: string
  readonly severity: string
  readonly message: string
}

const faultsIn = (all: readonly Fault[]): readonly string[] =>
  all
    .filter(({ severity }) => /^(?:fatal|error|warning)$/i.test(severity))
    .map(({ ID, message }) => `${ID} ${message}`)
    .toSorted()
