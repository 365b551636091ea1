import { u32 } from './bytes.ts'

/** The first record of a book holds its metadata in numbered entries; some kinds occur several times. */
export interface Exth {
  texts(kind: number): readonly string[]
  number(kind: number): number | undefined
}

const headBytes = 8
const entriesMax = 2000

/** Entries behind a broken one are lost: nobody knows where they begin. */
export const readExth = (bytes: Buffer, encoding: string): Exth => {
  const entries: { readonly kind: number; readonly data: Buffer }[] = []
  const count = bytes.length < 12 ? 0 : Math.min(u32(bytes, 8), entriesMax)
  let position = 12
  while (entries.length < count && position + headBytes <= bytes.length) {
    const length = u32(bytes, position + 4)
    if (length < headBytes || position + length > bytes.length) break
    entries.push({ kind: u32(bytes, position), data: bytes.subarray(position + headBytes, position + length) })
    position += length
  }
  const decoder = new TextDecoder(encoding)
  const ofKind = (kind: number): Buffer[] => entries.filter((each) => each.kind === kind).map(({ data }) => data)
  return {
    texts: (kind) => ofKind(kind).map((data) => decoder.decode(data)),
    number: (kind) => {
      const data = ofKind(kind).find(({ length }) => length > 0 && length <= 4)
      const value = data?.readUIntBE(0, data.length)
      return value === 0xffffffff ? undefined : value
    },
  }
}
