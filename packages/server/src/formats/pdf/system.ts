import type { Candidate } from '../book-format.ts'

/** PDFium was compiled to need these to run at all; the rest of its exports are in `pdfium.ts`. */
export interface RuntimeExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly __indirect_function_table: {
    get(index: number): (...values: number[]) => number
    set(index: number, called: ((...values: number[]) => number) | null): void
  }
  __wasm_call_ctors(): void
  emscripten_stack_init(): void
  emscripten_stack_get_current(): number
  emscripten_stack_get_end(): number
  _emscripten_stack_restore(pointer: number): void
  setThrew(thrown: number, value: number): void
}

/** A file of a library, open for reading. */
export type BookFile = Pick<Candidate, 'size' | 'read'>

/** PDFium sees only this of the world: the books admitted to it. It has no network, no other file, no environment. */
export interface System {
  readonly imports: Readonly<Record<string, unknown>>
  /** Its exports, once there are any. */
  attach(exports: RuntimeExports): void
  /** The path under which PDFium may open the file. */
  admit(file: BookFile): AdmittedFile
  dismiss(file: AdmittedFile): void
  /** It returns what PDFium could not get since the last call: its answers then may be wrong for that reason. */
  takeTroubles(): Troubles
}

export interface Troubles {
  readonly wasRefusedMemory: boolean
  readonly readFailure: unknown
}

export interface AdmittedFile {
  readonly path: string
  readonly file: BookFile
  bytesRead: number
}

interface OpenFile {
  readonly admitted: AdmittedFile
  position: number
}

/** The numbers are those of the module's C library. */
const errors = { ok: 0, badFile: 8, notPermitted: 2, io: 29, noEntry: 44, notImplemented: 52 } as const
const wasmPage = 65_536
/** A read takes this much: pictures are read whole, and should not be in memory twice. */
const chunkBytes = 1024 * 1024
/** The offsets are those of `struct stat` in its C library. */
const statOf = { size: 96, mode: 4, length: 24, regularFile: 0o100_444 } as const

/** A file system of admitted books, and a heap that ends at `heapBytes`. */
export const pdfiumSystem = (heapBytes: number): System => {
  const admitted = new Map<string, AdmittedFile>()
  let admissions = 0
  let exports: RuntimeExports | undefined
  let wasRefusedMemory = false
  let readFailure: unknown

  const running = (): RuntimeExports => {
    if (exports === undefined) throw new Error('PDFium has not started')
    return exports
  }
  return {
    imports: {
      ...fileCalls({ admitted, running, failed: (error) => (readFailure = error) }),
      ...jumps(running),
      emscripten_resize_heap: (requestedBytes: number): number => {
        const { memory } = running()
        const bytes = requestedBytes >>> 0
        // The memory grows only by what is asked for: a heap never shrinks.
        const isGrown = bytes <= heapBytes && isGrownBy(memory, bytes - memory.buffer.byteLength)
        wasRefusedMemory ||= !isGrown
        return isGrown ? 1 : 0
      },
      emscripten_date_now: () => Date.now(),
    },
    attach: (started) => {
      exports = started
    },
    admit: (file) => {
      admissions += 1
      const admission: AdmittedFile = { path: `/books/${admissions}`, file, bytesRead: 0 }
      admitted.set(admission.path, admission)
      return admission
    },
    dismiss: (admission) => void admitted.delete(admission.path),
    takeTroubles: () => {
      const troubles = { wasRefusedMemory, readFailure }
      wasRefusedMemory = false
      readFailure = undefined
      return troubles
    },
  }
}

/** It stands for imports that are not provided here, such as making folders. */
export const notImplemented = (): number => errors.notImplemented

const isGrownBy = (memory: RuntimeExports['memory'], bytes: number): boolean => {
  try {
    memory.grow(Math.ceil(bytes / wasmPage))
    return true
  } catch {
    return false
  }
}

interface FileCallsOptions {
  readonly admitted: ReadonlyMap<string, AdmittedFile>
  readonly running: () => RuntimeExports
  readonly failed: (error: unknown) => void
}

const fileCalls = ({ admitted, running, failed }: FileCallsOptions) => {
  const open = new Map<number, OpenFile>()
  let nextNumber = 3
  const view = (): DataView => new DataView(running().memory.buffer)
  const bytes = (from: number, length: number): Uint8Array => new Uint8Array(running().memory.buffer, from, length)

  return {
    __syscall_openat: (_folder: number, path: number): number => {
      const admission = admitted.get(textAt(view(), path))
      if (admission === undefined) return -errors.noEntry
      open.set(nextNumber, { admitted: admission, position: 0 })
      return nextNumber++
    },
    __syscall_fstat64: (number: number, stat: number): number => {
      const file = open.get(number)
      if (file === undefined) return -errors.badFile
      bytes(stat, statOf.size).fill(0)
      view().setUint32(stat + statOf.mode, statOf.regularFile, true)
      view().setBigInt64(stat + statOf.length, BigInt(file.admitted.file.size), true)
      return errors.ok
    },
    fd_seek: (number: number, offset: bigint, whence: number, result: number): number => {
      const file = open.get(number)
      if (file === undefined) return errors.badFile
      file.position = Number(offset) + ([0, file.position][whence] ?? file.admitted.file.size)
      view().setBigInt64(result, BigInt(file.position), true)
      return errors.ok
    },
    fd_read: (number: number, vectors: number, vectorCount: number, result: number): number => {
      const file = open.get(number)
      if (file === undefined) return errors.badFile
      let total = 0
      try {
        for (let index = 0; index < vectorCount; index += 1) {
          const vector = vectors + index * 8
          total += readOpen(file, bytes(view().getUint32(vector, true), view().getUint32(vector + 4, true)))
        }
      } catch (error) {
        failed(error)
        return errors.io
      }
      view().setUint32(result, total, true)
      return errors.ok
    },
    fd_close: (number: number): number => (open.delete(number) ? errors.ok : errors.badFile),
    /** Its output is dropped. */
    fd_write: () => errors.notPermitted,
    environ_sizes_get: (count: number, size: number): number => {
      view().setUint32(count, 0, true)
      view().setUint32(size, 0, true)
      return errors.ok
    },
    environ_get: () => errors.ok,
  }
}

const readOpen = (file: OpenFile, into: Uint8Array): number => {
  let filled = 0
  while (filled < into.length) {
    const chunk = file.admitted.file.read(file.position, Math.min(into.length - filled, chunkBytes))
    if (chunk.length === 0) break
    into.set(chunk, filled)
    filled += chunk.length
    file.position += chunk.length
  }
  file.admitted.bytesRead += filled
  return filled
}

const textAt = (view: DataView, from: number): string => {
  let end = from
  while (view.getUint8(end) !== 0) end += 1
  return Buffer.from(view.buffer, from, end - from).toString('latin1')
}

/** C jumps out of a function (`longjmp`, in its JPEG and PNG readers) like this: a number is thrown and caught here. */
const jumps = (running: () => RuntimeExports) => {
  const invoke = (index: number, ...values: number[]): number | undefined => {
    const exports = running()
    const stack = exports.emscripten_stack_get_current()
    try {
      return exports['__indirect_function_table'].get(index)(...values)
    } catch (error) {
      exports['_emscripten_stack_restore'](stack)
      if (typeof error !== 'number') throw error
      exports.setThrew(1, 0)
      return undefined
    }
  }
  return {
    invoke_viii: invoke,
    invoke_ii: invoke,
    invoke_iii: invoke,
    invoke_iiii: invoke,
    invoke_iiiii: invoke,
    _emscripten_throw_longjmp: () => {
      // oxlint-disable-next-line no-throw-literal
      throw Infinity
    },
    _abort_js: () => {
      throw new Error('PDFium gave up')
    },
  }
}
