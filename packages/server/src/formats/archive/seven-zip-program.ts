import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { ByteSource } from './byte-source.ts'

/** 7-Zip as a program: one run of it sees one archive, and a folder that keeps nothing of what is written to it. */
export interface SevenZipRun {
  readonly source: ByteSource
  readonly args: readonly string[]
  /** A line of what it says. */
  readonly line: (line: string) => void
  /** It is called for each file that the program begins to write. */
  readonly newFile?: () => WrittenFile
}

export interface WrittenFile {
  write(chunk: Uint8Array, position: number): void
  close(): void
}

/** The program finds its archive and puts its output at these paths. */
export const runPaths = { archive: '/archive', output: '/unpacked' } as const

/** The program may hold this much at once: a dictionary of 256 MiB, and as much again as it needs besides. */
const memoryLimit = 384 * 1024 * 1024

/** The exit code; undefined when it died. It throws what `line` or a file threw. */
export const runSevenZip = async (run: SevenZipRun): Promise<number | undefined> => {
  let thrown: { readonly error: unknown } | undefined
  const guard = <Args extends unknown[], Result>(call: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      try {
        return call(...args)
      } catch (error) {
        thrown ??= { error }
        throw error
      }
    }
  }
  const program = await startProgram(guard(run.line))
  showArchive(program.FS, run.source, guard)
  const { newFile } = run
  if (newFile) catchFiles(program.FS, guard(newFile), guard)
  let code: number | undefined
  try {
    code = program.callMain([...run.args])
  } catch {
    // The program's own exceptions are a number or a trap, and say nothing; ours are in `thrown`.
  }
  if (thrown) throw thrown.error
  return code
}

type Guard = <Args extends unknown[], Result>(call: (...args: Args) => Result) => (...args: Args) => Result

const showArchive = (fs: FileSystem, source: ByteSource, guard: Guard): void => {
  fs.writeFile(runPaths.archive, '')
  const { node } = fs.lookupPath(runPaths.archive)
  node.usedBytes = source.size
  node.stream_ops = {
    ...node.stream_ops,
    read: guard((...[, heap, offset, length, position]: TransferArguments) => {
      const bytes = source.read(position, Math.max(0, Math.min(length, source.size - position)))
      heap.set(bytes, offset)
      return bytes.length
    }),
  }
}

/** The bytes of a file go to us, whatever name the program gives it; and it cannot make links. */
const catchFiles = (fs: FileSystem, newFile: () => WrittenFile, guard: Guard): void => {
  fs.mkdir(runPaths.output)
  const { node: folder } = fs.lookupPath(runPaths.output)
  const { mknod } = folder.node_ops
  folder.node_ops = {
    ...folder.node_ops,
    mknod: (parent, name, mode, device) => {
      const node = mknod(parent, name, mode, device)
      if (!fs.isFile(node.mode)) return node
      const file = newFile()
      // Nothing is reserved for a size it only announces.
      node.node_ops = { ...node.node_ops, setattr: () => undefined }
      node.stream_ops = {
        ...node.stream_ops,
        write: guard((...[, heap, offset, length, position]: TransferArguments) => {
          file.write(new Uint8Array(heap.buffer, heap.byteOffset + offset, length), position)
          return length
        }),
        close: guard(() => file.close()),
      }
      return node
    },
    symlink: () => {
      throw new fs.ErrnoError(notPermitted)
    },
  }
}

const notPermitted = 63

/** Only this part of Emscripten's file system is used; the types of the package leave out most of it. */
interface FileSystem {
  readonly ErrnoError: new (code: number) => Error
  writeFile(path: string, data: string): void
  mkdir(path: string): void
  isFile(mode: number): boolean
  lookupPath(path: string): { readonly node: FileNode }
}

interface FileNode {
  readonly mode: number
  usedBytes: number
  node_ops: NodeOperations
  stream_ops: StreamOperations
}

interface NodeOperations {
  readonly mknod: (parent: FileNode, name: string, mode: number, device: number) => FileNode
  readonly setattr: (node: FileNode, attributes: object) => void
  readonly symlink: (parent: FileNode, name: string, target: string) => FileNode
}

type TransferArguments = [stream: object, heap: Int8Array, offset: number, length: number, position: number]
type Transfer = (...args: TransferArguments) => number

interface StreamOperations {
  readonly read: Transfer
  readonly write: Transfer
  readonly close?: (stream: object) => void
}

interface Program {
  readonly FS: FileSystem
  callMain(args: string[]): number
}

type Imports = Record<string, Record<string, unknown>>

/** Only this part is used; Node has it, the types of Node do not. */
declare const WebAssembly: {
  readonly compile: (code: Uint8Array) => Promise<CompiledProgram>
  readonly Instance: new (program: CompiledProgram, imports: Imports) => ProgramInstance
}
interface CompiledProgram {
  readonly compiled: unique symbol
}
interface ProgramInstance {
  readonly exports: object
}

interface ProgramOptions {
  readonly print: (line: string) => void
  readonly printErr: (line: string) => void
  readonly stdin: () => null
  readonly quit: (code: number, status: unknown) => never
  readonly instantiateWasm: (imports: Imports, done: (instance: ProgramInstance) => void) => object
}

const require = createRequire(import.meta.url)
let compiled: Promise<CompiledProgram> | undefined

/** Compiled once in a process; each run has memory of its own, since one that failed is not to be trusted. */
const startProgram = async (line: (line: string) => void): Promise<Program> => {
  const start = require('7z-wasm') as (options: ProgramOptions) => Promise<Program>
  compiled ??= readFile(require.resolve('7z-wasm/7zz.wasm')).then((code) => WebAssembly.compile(code))
  const module = await compiled
  return start({
    print: line,
    printErr: line,
    // It asks for a password when it needs one: there is nobody to answer.
    stdin: () => null,
    quit: (_code, status) => {
      throw status
    },
    instantiateWasm: (imports, done) => {
      done(new WebAssembly.Instance(module, withMemoryLimit(imports)))
      return {}
    },
  })
}

const withMemoryLimit = (imports: Imports): Imports => {
  const grow = imports['env']?.['emscripten_resize_heap']
  if (typeof grow !== 'function') throw new Error('7-Zip cannot be held to a limit of memory.')
  const growWithin = (bytes: number): unknown =>
    bytes >>> 0 > memoryLimit ? 0 : Reflect.apply(grow, undefined, [bytes])
  return { ...imports, env: { ...imports['env'], emscripten_resize_heap: growWithin } }
}
