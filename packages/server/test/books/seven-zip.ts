import { createRequire } from 'node:module'

/** A member of an archive that 7-Zip makes; the name is its path. */
export interface PackedFile {
  readonly name: string
  readonly bytes: Buffer
}

export interface SevenZipOptions {
  readonly type?: '7z' | 'tar'
  /** The members share a block. */
  readonly isSolid?: boolean
  /** 7-Zip writes methods like this: `LZMA2:d24`, `PPMd`, `Copy`. */
  readonly method?: string
  readonly password?: string
  readonly hasEncryptedHeaders?: boolean
  /** Names of links and where they lead. */
  readonly links?: readonly { readonly name: string; readonly target: string }[]
}

/** An archive with these files in this order. */
export const sevenZipArchive = async (files: readonly PackedFile[], options: SevenZipOptions = {}): Promise<Buffer> => {
  const start = createRequire(import.meta.url)('7z-wasm') as StartProgram
  const lines: string[] = []
  const keep = (line: string): number => lines.push(line)
  const program = await start({ print: keep, printErr: keep, quit: quietly })
  program.FS.mkdir('/book')
  for (const { name, bytes } of files) {
    makeFolders(program.FS, name)
    program.FS.writeFile(`/book/${name}`, bytes)
    // The same bytes each time it is made.
    program.FS.utime(`/book/${name}`, 0, 0)
  }
  for (const { name, target } of options.links ?? []) program.FS.symlink(target, `/book/${name}`)
  program.FS.chdir('/book')
  const made = `/made.${options.type ?? '7z'}`
  const names = namesIn([...files, ...(options.links ?? [])])
  const code = program.callMain(['a', ...switches(options), ...names.map((name) => `-i!${name}`), made])
  if (code !== 0) throw new Error(`7-Zip made no archive: ${lines.join('\n')}`)
  return Buffer.from(program.FS.readFile(made))
}

const switches = (options: SevenZipOptions): string[] => {
  const type = options.type ?? '7z'
  if (type === 'tar') return ['-ttar', '-spd', '-snl']
  return [
    '-t7z',
    '-spd',
    '-snl',
    '-mtm=off',
    '-mqs=off',
    `-ms=${options.isSolid ? 'on' : 'off'}`,
    ...(options.method === undefined ? [] : [`-m0=${options.method}`]),
    ...(options.password === undefined ? [] : [`-p${options.password}`]),
    ...(options.hasEncryptedHeaders ? ['-mhe=on'] : []),
  ]
}

const namesIn = (files: readonly { readonly name: string }[]): string[] => [
  ...new Set(files.map(({ name }) => name.split('/')[0] ?? name)),
]

const makeFolders = (fs: FileSystem, name: string): void => {
  const parts = name.split('/').slice(0, -1)
  for (const [at] of parts.entries()) {
    const folder = `/book/${parts.slice(0, at + 1).join('/')}`
    if (!fs.analyzePath(folder).exists) fs.mkdir(folder)
  }
}

const quietly = (_code: number, status: unknown): never => {
  throw status
}

interface FileSystem {
  mkdir(path: string): void
  chdir(path: string): void
  writeFile(path: string, data: Uint8Array): void
  readFile(path: string): Uint8Array
  symlink(target: string, path: string): void
  utime(path: string, accessed: number, modified: number): void
  analyzePath(path: string): { readonly exists: boolean }
}

type StartProgram = (options: {
  readonly print: (line: string) => void
  readonly printErr: (line: string) => void
  readonly quit: (code: number, status: unknown) => never
}) => Promise<{ readonly FS: FileSystem; callMain(args: string[]): number }>
