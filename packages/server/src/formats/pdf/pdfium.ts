import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BookFault } from '../book-format.ts'
import { notImplemented, pdfiumSystem, type RuntimeExports, type System, type Troubles } from './system.ts'

/** The functions of PDFium used here; pointers and handles are numbers, 0 is none. `fpdf*.h` describe them. */
interface PdfiumFunctions {
  malloc(bytes: number): number
  free(pointer: number): void
  FPDF_InitLibrary(): void
  FPDF_LoadDocument(path: number, password: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_CreateNewDocument(): number
  FPDF_ImportPagesByIndex(into: number, from: number, indices: number, count: number, at: number): number
  FPDF_SaveAsCopy(document: number, writer: number, flags: number): number
  FPDF_GetLastError(): number
  FPDF_DocumentHasValidCrossReferenceTable(document: number): number
  FPDF_GetPageCount(document: number): number
  FPDF_GetPageSizeByIndexF(document: number, index: number, size: number): number
  FPDF_GetPageLabel(document: number, index: number, buffer: number, length: number): number
  FPDF_GetMetaText(document: number, tag: number, buffer: number, length: number): number
  FPDFBookmark_GetFirstChild(document: number, bookmark: number): number
  FPDFBookmark_GetNextSibling(document: number, bookmark: number): number
  FPDFBookmark_GetTitle(bookmark: number, buffer: number, length: number): number
  FPDFBookmark_GetAction(bookmark: number): number
  FPDFAction_GetType(action: number): number
  FPDFBookmark_GetDest(document: number, bookmark: number): number
  FPDFDest_GetDestPageIndex(document: number, destination: number): number
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(text: number): void
  FPDFText_CountChars(text: number): number
  FPDFText_GetText(text: number, from: number, count: number, buffer: number): number
  FPDFText_GetUnicode(text: number, index: number): number
  FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number
  FPDF_PageToDevice(
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    x: number,
    y: number,
    shownX: number,
    shownY: number,
  ): number
  FPDFBitmap_CreateEx(width: number, height: number, format: number, pixels: number, stride: number): number
  FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, colour: number): number
  FPDFBitmap_Destroy(bitmap: number): void
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    flags: number,
  ): void
}

/** Three numbers in, one out: the only kind of function it is lent. */
type BlockWriter = (writer: number, from: number, length: number) => number

/** One life of PDFium, with a heap of its own. */
export interface Pdfium {
  readonly functions: PdfiumFunctions
  readonly system: System
  /** It cannot be used any more. */
  readonly isDead: boolean
  /** All calls of `functions` belong in here: a failure comes out as a `BookFault`. */
  run<Result>(work: () => Result): Result
  /** Memory of its heap, as it is now: any call may move it. */
  memory(from: number, length: number): Buffer
  /** PDFium calls this function at the given index of its table while `work` runs. */
  callable<Result>(index: number, called: BlockWriter, work: () => Result): Result
  /** It lends memory of its heap for the while of `work`. */
  lend<Result>(bytes: number, work: (pointer: number) => Result): Result
}

/** PDFium may use this much memory: a page with a picture of 64 megapixels needs 200 to 300 MiB. */
const heapBytes = 320 * 1024 * 1024
/** A heap never shrinks: one that has grown beyond this is given up when no book is open in it. */
const keptHeapBytes = 128 * 1024 * 1024
/** Its stack is 64 KiB, and below it lie its own variables: whoever overwrites these words has gone too deep. */
const stackGuard = Buffer.from('stackend')

let compiled: WebAssembly.Module | undefined
let current: Pdfium | undefined
let documentsOpen = 0
let documentsOpened = 0
let heapsGivenUp = 0

/** The one that is alive in this process, or a new one (15 ms). */
export const livingPdfium = (): Pdfium => {
  current ??= startPdfium()
  return current
}

export interface PdfiumUse {
  readonly documentsOpened: number
  readonly heapBytes: number
  /**
   * It counts how often PDFium broke down or had grown too large. Its memory is free when the garbage is collected,
   * which may take long.
   */
  readonly heapsGivenUp: number
}

/** It says how much PDFium has done in this process, for whoever decides when a process has served long enough. */
export const pdfiumUse = (): PdfiumUse => ({
  documentsOpened,
  heapBytes: current === undefined ? 0 : heapOf(current),
  heapsGivenUp,
})

const giveUp = (pdfium: Pdfium): void => {
  heapsGivenUp += 1
  if (current === pdfium) current = undefined
}

export const countOpenedDocument = (): void => {
  documentsOpen += 1
  documentsOpened += 1
}

export const countClosedDocument = (): void => {
  documentsOpen -= 1
  if (documentsOpen === 0 && current !== undefined && heapOf(current) > keptHeapBytes) giveUp(current)
}

const heapOf = (pdfium: Pdfium): number => pdfium.memory(0, 0).buffer.byteLength

const require = createRequire(import.meta.url)

const startPdfium = (): Pdfium => {
  compiled ??= new WebAssembly.Module(readFileSync(require.resolve('@hyzyla/pdfium/pdfium.wasm')))
  const system = pdfiumSystem(heapBytes)
  const exports = new WebAssembly.Instance(compiled, importsOf(compiled, system)).exports as RuntimeExports &
    PdfiumFunctions
  system.attach(exports)
  exports.emscripten_stack_init()
  exports['__wasm_call_ctors']()
  const memory = (from: number, length: number): Buffer => Buffer.from(exports.memory.buffer, from, length)
  const guard = (): Buffer => memory(exports.emscripten_stack_get_end(), stackGuard.length)
  stackGuard.copy(guard())
  exports.FPDF_InitLibrary()
  return pdfiumOf({ exports, system, memory, hasStackLeft: () => guard().equals(stackGuard) })
}

interface Started {
  readonly exports: RuntimeExports & PdfiumFunctions
  readonly system: System
  readonly memory: (from: number, length: number) => Buffer
  readonly hasStackLeft: () => boolean
}

const pdfiumOf = ({ exports, system, memory, hasStackLeft }: Started): Pdfium => {
  let isDead = false
  const die = (cause: unknown): BookFault => {
    isDead = true
    giveUp(pdfium)
    return system.takeTroubles().wasRefusedMemory
      ? tooMuchMemory({ cause })
      : new BookFault('crashed', 'PDFium broke down over this file', { cause })
  }
  const pdfium: Pdfium = {
    functions: exports,
    system,
    get isDead() {
      return isDead
    },
    run: (work) => {
      const outcome = outcomeOf(work)
      if ('error' in outcome) throw die(outcome.error)
      if (!hasStackLeft()) throw die(new Error('The stack of PDFium ran over'))
      const trouble = troubleOf(system.takeTroubles())
      if (trouble !== undefined) throw trouble
      if (outcome.fault !== undefined) throw outcome.fault
      return outcome.result
    },
    memory,
    callable: (index, called, work) => {
      const { __indirect_function_table: table } = exports
      const before = table.get(index)
      table.set(index, asBlockWriter(called))
      try {
        return work()
      } finally {
        table.set(index, before)
      }
    },
    lend: (bytes, work) => {
      const pointer = exports.malloc(bytes)
      if (pointer === 0) throw tooMuchMemory({})
      return whileOpen(pointer, work, exports.free)
    },
  }
  return pdfium
}

/**
 * A module that takes one function of that kind and gives it away again: only what comes from a module can stand in a
 * table of functions.
 */
const passOn = Buffer.from('0061736d0100000001080160037f7f7f017f02070101650166000007050101660000', 'hex')
let passing: WebAssembly.Module | undefined

const asBlockWriter = (f: BlockWriter): BlockWriter => {
  passing ??= new WebAssembly.Module(passOn)
  return (new WebAssembly.Instance(passing, { e: { f } }).exports as { readonly f: BlockWriter }).f
}

/** It closes it, whatever comes of `work`: unless PDFium itself broke down, when there is nothing left to close. */
export const whileOpen = <Result>(
  handle: number,
  work: (handle: number) => Result,
  close: (handle: number) => void,
): Result => {
  let result: Result
  try {
    result = work(handle)
  } catch (error) {
    if (error instanceof BookFault) close(handle)
    throw error
  }
  close(handle)
  return result
}

/** A fault is what we say about an answer of PDFium; any other error is its end. */
type Outcome<Result> =
  | { readonly result: Result; readonly fault?: undefined }
  | { readonly fault: BookFault; readonly result?: undefined }
  | { readonly error: unknown }

const outcomeOf = <Result>(work: () => Result): Outcome<Result> => {
  try {
    return { result: work() }
  } catch (error) {
    return error instanceof BookFault ? { fault: error } : { error }
  }
}

/** It says why an answer, good or bad, cannot be trusted. */
const troubleOf = ({ wasRefusedMemory, readFailure }: Troubles): BookFault | undefined => {
  if (readFailure !== undefined) {
    return new BookFault('unreadable', 'The file cannot be read to its end', { cause: readFailure })
  }
  return wasRefusedMemory ? tooMuchMemory({}) : undefined
}

const tooMuchMemory = (options: ErrorOptions): BookFault =>
  new BookFault('limit', `The file needs more than ${heapBytes / 1024 / 1024} MiB of memory`, {
    ...options,
    wasCostly: true,
  })

const importsOf = (module: WebAssembly.Module, system: System): Record<string, Record<string, unknown>> => {
  const imports: Record<string, Record<string, unknown>> = {}
  for (const { module: moduleName, name } of WebAssembly.Module.imports(module)) {
    imports[moduleName] ??= {}
    imports[moduleName][name] = system.imports[name] ?? notImplemented
  }
  return imports
}
