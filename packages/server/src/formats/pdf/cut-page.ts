import { BookFault } from '../book-format.ts'
import { type Pdfium, whileOpen } from './pdfium.ts'

/** An `FPDF_FILEWRITE` holds a version, and the function that receives what is written. */
const writerBytes = 8
const writerVersion = 1
/** No function stands at 0, where PDFium calls nothing but by mistake: there is room for ours while it writes. */
const noFunction = 0

/** One page as a document of its own. */
export const cutPage = (pdfium: Pdfium, handle: number, { index, bytesMax }: { index: number; bytesMax: number }) => {
  const { functions } = pdfium
  const made = functions.FPDF_CreateNewDocument()
  if (made === 0) throw new BookFault('limit', 'There is no room for a document of one page')
  return whileOpen(
    made,
    () => {
      const isTaken = pdfium.lend(4, (indices) => {
        pdfium.memory(indices, 4).writeInt32LE(index)
        return functions.FPDF_ImportPagesByIndex(made, handle, indices, 1, 0) !== 0
      })
      if (!isTaken) throw new BookFault('damaged', `Page ${index + 1} is damaged`)
      return written(pdfium, made, bytesMax)
    },
    functions.FPDF_CloseDocument,
  )
}

const written = (pdfium: Pdfium, made: number, bytesMax: number): Buffer => {
  const parts: Buffer[] = []
  let bytes = 0
  const keep = (_writer: number, from: number, length: number): number => {
    bytes += length
    if (bytes > bytesMax) return 0
    parts.push(Buffer.from(pdfium.memory(from, length)))
    return 1
  }
  const isWhole = pdfium.lend(writerBytes, (writer) => {
    const fields = pdfium.memory(writer, writerBytes)
    fields.writeInt32LE(writerVersion)
    fields.writeUInt32LE(noFunction, 4)
    return pdfium.callable(noFunction, keep, () => pdfium.functions.FPDF_SaveAsCopy(made, writer, 0) !== 0)
  })
  if (bytes > bytesMax) throw new BookFault('limit', `The page is larger than ${bytesMax / 1024 / 1024} MiB`)
  if (!isWhole) throw new BookFault('damaged', 'The page cannot be written by itself')
  return Buffer.concat(parts, bytes)
}
