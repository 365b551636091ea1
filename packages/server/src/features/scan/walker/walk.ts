import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { nameFromBytes, pathForSystem } from '../../../platform/files/file-names.ts'
import { excluder } from '../../../platform/files/globs.ts'
import { isIgnored, kindOf, manyBooks } from './kinds.ts'
import { compareBytes, StoredRows } from './stored-rows.ts'
import { areElsewhere, figuresOf, storedFilesIn } from './stored-text.ts'
import type {
  Changes,
  WalkedFile,
  FromWalker,
  StoredFile,
  StoredFolder,
  RowKind,
  Target,
  WalkError,
  WalkSummary,
} from './messages.ts'

/** Passed over anyway, and cheaper so. */
const hiddenFiles = '**/.*'
const depthMax = 64
const errorsKept = 100
const changesAtOnce = 1000
/** The process must turn now and then, to hear and to be heard. */
const turnMs = 15
const tellMs = 500
const emptiedKept = 10_000

/** One entry of a folder, named as it is kept. */
interface Entry {
  readonly name: string
  readonly isFolder: boolean
  readonly isFile: boolean
}

interface Listed {
  readonly entries: readonly Entry[]
  /** The folder is on. */
  readonly device: number
}

/** Names of files, by what they may be. */
interface Named {
  readonly books: string[]
  readonly pictures: string[]
  readonly sidecars: string[]
}

/** What there is under a name; undefined when it cannot be looked at, which is not the same as gone. */
type StatResult = readonly [name: string, found: WalkedFile | 'gone' | undefined]

const noChanges = (): Changes => ({
  added: [],
  changed: [],
  vanished: [],
  sidecarsAdded: [],
  sidecarsChanged: [],
  sidecarsVanished: [],
})

/**
 * Goes through a root and compares what is there with what is known, a folder at a time: memory for one folder, however
 * large the library. Reads names and figures, opens no file, follows no link. Where it cannot look it says so, and
 * nothing below counts as vanished.
 */
export class Walk {
  readonly #target: Target
  readonly #tell: (message: FromWalker) => void
  readonly #listTyped: typeof listTyped
  readonly #files: StoredRows
  readonly #sidecars: StoredRows
  readonly #extensions: ReadonlySet<string>
  readonly #isExcluded: (path: string, isFolder: boolean) => boolean
  readonly #errors: WalkError[] = []
  #errorCount = 0
  /** Folders nothing is known about this time. */
  readonly #unseen: string[] = []
  readonly #emptied: string[] = []
  /** Known books that are folders, until they are come upon. */
  readonly #folderBooks = new Map<string, StoredFile>()
  #changes = noChanges()
  #changeCount = 0
  #filesSeen = 0
  #filesKnown = 0
  #turnedAt = performance.now()
  #toldAt = performance.now()

  /** Tests list folders as other systems do. */
  constructor(target: Target, tell: (message: FromWalker) => void, list = listTyped) {
    this.#target = target
    this.#tell = tell
    this.#listTyped = list
    this.#extensions = new Set(target.extensions)
    this.#isExcluded = excluder(target.exclude.filter((pattern) => pattern !== hiddenFiles))
    const need = (of: RowKind): void => tell({ kind: 'need', of })
    this.#files = new StoredRows('files', need)
    this.#sidecars = new StoredRows('sidecars', need)
  }

  receive(of: RowKind, folders: readonly StoredFolder[], isLast: boolean): void {
    if (of === 'files') this.#filesKnown += folders.reduce((sum, [, count]) => sum + count, 0)
    const storedRows = of === 'files' ? this.#files : this.#sidecars
    storedRows.receive(folders, isLast)
  }

  async run(): Promise<void> {
    const root = this.#inspectRoot()
    if (!('error' in root) && !root.isEmpty) {
      const own = await this.#ownRow()
      await this.#walk(this.#target.folder, 0)
      this.#goneFolderBooks(own)
      this.#gone(this.#changes.vanished, await this.#files.takeRest())
      this.#gone(this.#changes.sidecarsVanished, await this.#sidecars.takeRest())
    }
    this.#flush()
    const { device, inode } = root
    const summary: WalkSummary = {
      rootError: 'error' in root ? root.error : undefined,
      device,
      inode,
      isEmpty: root.isEmpty,
      filesSeen: this.#filesSeen,
      filesKnown: this.#filesKnown,
      errors: this.#errors,
      errorCount: this.#errorCount,
      emptiedFolders: this.#emptied,
    }
    this.#tell({ kind: 'done', summary })
  }

  #inspectRoot() {
    const { rootPath } = this.#target
    try {
      const stats = lstatSync(pathForSystem(rootPath))
      if (!stats.isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
      const isEmpty = readdirSync(pathForSystem(rootPath)).length === 0
      return { device: stats.dev, inode: safeInode(stats.ino), isEmpty }
    } catch (error) {
      return { device: 0, inode: 0, isEmpty: true, error: { path: rootPath, code: codeOf(error) } }
    }
  }

  /** The folder that was asked for may be a book itself; its row lies in the folder above, and comes first. */
  async #ownRow(): Promise<StoredFile[]> {
    const { folder } = this.#target
    if (folder === '') return []
    const { here } = await this.#files.takeUpTo(folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1))
    const rows = rowsIn(here)
    for (const row of rows) this.#folderBooks.set(folder, row)
    return rows
  }

  async #walk(folder: string, depth: number): Promise<void> {
    const files = await this.#files.takeUpTo(folder)
    const sidecars = await this.#sidecars.takeUpTo(folder)
    this.#gone(this.#changes.vanished, files.before)
    this.#gone(this.#changes.sidecarsVanished, sidecars.before)
    const listed = depth > depthMax ? 'ELOOP' : this.#list(folder)
    if (typeof listed === 'string') {
      const wasRequested = folder !== '' && folder === this.#target.folder
      // The root is there and the folder that was asked for is not: then it is gone, with all that was in it.
      if (wasRequested && listed === 'ENOENT') {
        this.#gone(this.#changes.vanished, rowsIn(files.here))
        this.#gone(this.#changes.sidecarsVanished, rowsIn(sidecars.here))
      } else this.#cannotSee(folder, listed)
      return
    }
    const visible = listed.entries.filter(
      ({ name, isFolder }) => !isIgnored(name) && !this.#isExcluded(folder + name, isFolder),
    )
    const named = byKind(visible, this.#extensions)
    const isBook = this.#compareFiles(folder, named, files.here)
    this.#compareSidecars(folder, named.sidecars, sidecars.here)
    await this.#giveWay()
    if (!isBook) await this.#walkBelow(folder, visible, depth)
    this.#noteEmptied(folder, listed, files.here)
    if (files.here && this.#folderBooks.size > 0) this.#goneFolderBooks(storedFilesIn(files.here))
  }

  async #walkBelow(folder: string, entries: readonly Entry[], depth: number): Promise<void> {
    const folders = entries.filter(({ isFolder }) => isFolder).map(({ name }) => `${name}/`)
    for (const name of folders.sort(compareBytes)) await this.#walk(folder + name, depth + 1)
  }

  #list(folder: string): Listed | string {
    const path = this.#target.rootPath + (folder === '' ? '' : `/${folder.slice(0, -1)}`)
    const system = pathForSystem(path)
    try {
      const stats = lstatSync(system)
      if (!stats.isDirectory()) return 'ENOTDIR'
      return { entries: eachOnce(this.#entriesOf(folder, system)), device: stats.dev }
    } catch (error) {
      return codeOf(error)
    }
  }

  #entriesOf(folder: string, system: string | Buffer): readonly Entry[] {
    try {
      return this.#listTyped(system)
    } catch {
      // Where the system does not say what an entry is, one that cannot be looked at spoils the whole list.
      return readdirSync(system, { encoding: 'buffer' }).flatMap((name) => this.#lookAt(folder, nameFromBytes(name)))
    }
  }

  #lookAt(folder: string, name: string): Entry[] {
    try {
      const stats = lstatSync(pathForSystem(`${this.#target.rootPath}/${folder}${name}`))
      return [{ name, isFolder: stats.isDirectory(), isFile: stats.isFile() }]
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      // A file or a folder: nothing that was there counts as vanished.
      this.#unseen.push(`${folder}${name}/`)
      this.#remember(folder + name, codeOf(error))
      return []
    }
  }

  /** Answers whether the folder itself is a book: pictures and no book in it. */
  #compareFiles(folder: string, { books, pictures }: Named, stored: StoredFolder | undefined): boolean {
    const statResults = this.#statEach(folder, books)
    if (!isAsStored(statResults, stored)) this.#compareEach(statResults, rowsIn(stored))
    if (books.length > 0 || pictures.length === 0 || folder === '') return false
    this.#compareFolderBook(folder, pictures)
    return true
  }

  /** In the order of their names. */
  #statEach(folder: string, names: readonly string[]): StatResult[] {
    return names.toSorted(compareBytes).map((name) => {
      const stats = this.#stats(folder, name)
      if (!stats || stats === 'gone') return [name, stats]
      this.#filesSeen += 1
      return [name, walkedOf(folder, name, stats)]
    })
  }

  #compareEach(statResults: readonly StatResult[], stored: readonly StoredFile[]): void {
    const rest = new Map(stored.map((row) => [row[2], row]))
    for (const [name, result] of statResults) {
      const row = rest.get(name)
      rest.delete(name)
      if (result === 'gone' && row) this.#gone(this.#changes.vanished, [row])
      if (result && result !== 'gone') this.#compare(result, row)
    }
    for (const row of rest.values()) {
      if (row[8] === 1) this.#folderBooks.set(`${row[1]}${row[2]}/`, row)
      else this.#gone(this.#changes.vanished, [row])
    }
  }

  #compareFolderBook(folder: string, pictures: readonly string[]): void {
    const row = this.#folderBooks.get(folder)
    this.#folderBooks.delete(folder)
    const own = this.#stats(folder, '')
    if (!own || own === 'gone') return
    let size = 0
    let modifiedUs = microseconds(own.mtimeMs)
    for (const name of pictures) {
      const stats = this.#stats(folder, name)
      // What it is cannot be said without all of its pictures.
      if (!stats) return
      if (stats === 'gone') continue
      size += stats.size
      modifiedUs = Math.max(modifiedUs, microseconds(stats.mtimeMs))
    }
    this.#filesSeen += 1
    const slash = folder.lastIndexOf('/', folder.length - 2) + 1
    const changedUs = microseconds(own.ctimeMs)
    const walked: WalkedFile = [
      folder.slice(0, slash),
      folder.slice(slash, -1),
      size,
      modifiedUs,
      changedUs,
      safeInode(own.ino),
      own.dev,
      1,
    ]
    this.#compare(walked, row)
  }

  #compare(walked: WalkedFile, row: StoredFile | undefined): void {
    if (!row) this.#note(this.#changes.added, walked)
    else if (hasChanged(walked, row)) this.#note(this.#changes.changed, [row[0], ...walked])
  }

  #compareSidecars(folder: string, names: readonly string[], stored: StoredFolder | undefined): void {
    const rest = new Map(rowsIn(stored).map((row) => [row[2], row]))
    for (const name of names) {
      const row = rest.get(name)
      rest.delete(name)
      const stats = this.#stats(folder, name)
      if (!stats) continue
      if (stats === 'gone') {
        if (row) this.#gone(this.#changes.sidecarsVanished, [row])
        continue
      }
      const walked = walkedOf(folder, name, stats)
      if (!row) this.#note(this.#changes.sidecarsAdded, walked)
      else if (hasChanged(walked, row)) this.#note(this.#changes.sidecarsChanged, [row[0], ...walked])
    }
    this.#gone(this.#changes.sidecarsVanished, [...rest.values()])
  }

  /** Undefined when it cannot be looked at, which is not the same as gone. */
  #stats(folder: string, name: string): Stats | 'gone' | undefined {
    const path = `${this.#target.rootPath}/${folder}${name}`
    this.#showLife()
    try {
      return lstatSync(pathForSystem(path))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'gone'
      this.#remember(folder + name, codeOf(error))
      return undefined
    }
  }

  #noteEmptied(folder: string, listed: Listed, stored: StoredFolder | undefined): void {
    if (folder === '' || this.#emptied.length >= emptiedKept) return
    if (listed.entries.length === 0 || (stored && isElsewhere(listed, stored))) this.#emptied.push(folder)
  }

  #goneFolderBooks(stored: readonly StoredFile[]): void {
    for (const row of stored) {
      const path = `${row[1]}${row[2]}/`
      if (row[8] === 0 || !this.#folderBooks.delete(path)) continue
      this.#gone(this.#changes.vanished, [row])
    }
  }

  #gone(list: StoredFile[], rows: readonly StoredFile[]): void {
    for (const row of rows) {
      const path = `${row[1]}${row[2]}/`
      if (!this.#unseen.some((folder) => path.startsWith(folder))) this.#note(list, row)
    }
  }

  #note<Item>(list: Item[], item: Item): void {
    list.push(item)
    this.#changeCount += 1
  }

  #cannotSee(folder: string, code: string): void {
    // Removed while we looked: then it is gone with all that was in it, but for this walk it is only not seen.
    this.#unseen.push(folder)
    this.#remember(folder, code)
  }

  #remember(path: string, code: string): void {
    this.#errorCount += 1
    if (this.#errors.length < errorsKept) this.#errors.push({ path, code })
  }

  /** Also in the middle of a folder: one with many files on slow storage is not one that hangs. */
  #showLife(): number {
    const now = performance.now()
    if (now - this.#toldAt > tellMs) {
      this.#toldAt = now
      this.#tell({ kind: 'turning', filesSeen: this.#filesSeen })
    }
    return now
  }

  async #giveWay(): Promise<void> {
    if (this.#changeCount >= changesAtOnce) this.#flush()
    const now = this.#showLife()
    if (now - this.#turnedAt < turnMs) return
    await turn()
    this.#turnedAt = performance.now()
  }

  #flush(): void {
    if (this.#changeCount === 0) return
    this.#tell({ kind: 'changes', changes: this.#changes, filesSeen: this.#filesSeen })
    this.#changes = noChanges()
    this.#changeCount = 0
  }
}

/** While a folder changes, or where several are laid over each other, a system may name an entry twice. */
const eachOnce = (entries: readonly Entry[]): readonly Entry[] => {
  const names = new Set(entries.map(({ name }) => name))
  return names.size === entries.length ? entries : entries.filter(({ name }) => names.delete(name))
}

const byKind = (entries: readonly Entry[], extensions: ReadonlySet<string>): Named => {
  const named: Named = { books: [], pictures: [], sidecars: [] }
  for (const { name, isFile } of entries) {
    const kind = isFile ? kindOf(name, extensions) : 'other'
    if (kind === 'book') named.books.push(name)
    else if (kind === 'picture') named.pictures.push(name)
    else if (kind === 'sidecar') named.sidecars.push(name)
  }
  return named
}

const rowsIn = (stored: StoredFolder | undefined): StoredFile[] => (stored ? storedFilesIn(stored) : [])

/** To the last figure: then nothing need be compared one by one. */
const isAsStored = (statResults: readonly StatResult[], stored: StoredFolder | undefined): boolean => {
  if (statResults.length !== (stored?.[1] ?? 0)) return false
  const figures = statResults.map(([, result]) => (typeof result === 'object' ? figuresOf(result) : ''))
  return stored === undefined || figures.join('/') === stored[2]
}

/** A name that was reused for another file has another inode, and its own time of change even when its times were copied. */
const hasChanged = (walked: WalkedFile, row: StoredFile): boolean =>
  walked[2] !== row[3] || walked[3] !== row[4] || (walked[4] !== row[5] && walked[5] !== row[6])

/** Another disk is here now. Its number alone says nothing: numbers change when a machine starts. */
const isElsewhere = ({ entries, device }: Listed, stored: StoredFolder): boolean => {
  if (stored[1] < manyBooks || !areElsewhere(stored, device)) return false
  const names = new Set(entries.map(({ name }) => name))
  return !storedFilesIn(stored).some((row) => names.has(row[2]))
}

const walkedOf = (folder: string, name: string, { size, mtimeMs, ctimeMs, ino, dev }: Stats): WalkedFile => [
  folder,
  name,
  size,
  microseconds(mtimeMs),
  microseconds(ctimeMs),
  safeInode(ino),
  dev,
  0,
]

const microseconds = (ms: number): number => Math.round(ms * 1000)

/** Some file systems use all 64 bits; told apart they must be, not reversed. */
const safeInode = (inode: number): number => inode % Number.MAX_SAFE_INTEGER

const entryOf = (entry: Dirent | Dirent<Buffer>, name: string): Entry => ({
  name,
  isFolder: entry.isDirectory(),
  isFile: entry.isFile(),
})

const listTyped = (path: string | Buffer): readonly Entry[] => {
  const dirents = readdirSync(path, { withFileTypes: true })
  return dirents.some(({ name }) => name.includes('\uFFFD'))
    ? listBytes(path)
    : dirents.map((entry) => entryOf(entry, entry.name))
}

const listBytes = (path: string | Buffer): Entry[] =>
  readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map((entry) =>
    entryOf(entry, nameFromBytes(entry.name)),
  )

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN'
