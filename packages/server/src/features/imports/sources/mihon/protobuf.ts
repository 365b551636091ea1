import { SourceFault } from '../../records.ts'

/** A number is as the wire has it, unsigned; whoever knows the field says what it means. */
type WireValue = bigint | Uint8Array
/** The values of each field, in the order in which they came. Fields nobody asks for cost nothing but their entry. */
export type Message = ReadonlyMap<number, readonly WireValue[]>

const damaged = (): never => {
  throw new SourceFault('damaged', 'This backup is damaged, or is no backup of Mihon.')
}

/** A number takes ten bytes at most, of seven bits each. */
const varintBytesMax = 10
const fieldNumberMax = 536_870_911n

export interface Varint {
  readonly value: bigint
  readonly next: number
}

/** It is undefined where the bytes end before the number does. */
export const readVarint = (bytes: Uint8Array, start: number): Varint | undefined => {
  let value = 0n
  for (let index = 0; index < varintBytesMax; index += 1) {
    const byte = bytes[start + index]
    if (byte === undefined) return undefined
    value |= BigInt(byte & 0x7f) << BigInt(7 * index)
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), next: start + index + 1 }
  }
  return damaged()
}

export type WireType = 'varint' | 'fixed64' | 'bytes' | 'fixed32'
const wireTypes: Readonly<Record<number, WireType>> = { 0: 'varint', 1: 'fixed64', 2: 'bytes', 5: 'fixed32' }

/** What stands before each value. Groups, which nobody has written for twenty years, are refused with all that is no type. */
export const splitTag = (tag: bigint): { readonly field: number; readonly type: WireType } => {
  const field = tag >> 3n
  const type = wireTypes[Number(tag & 7n)]
  if (field < 1n || field > fieldNumberMax || type === undefined) return damaged()
  return { field: Number(field), type }
}

/** One message of one manga has a few fields, and one for each of its chapters. */
const valuesMax = 200_000

/** It reads one level: what is inside of a value is a message for whoever knows that it is one, so nothing nests by itself. */
export const readMessage = (bytes: Uint8Array): Message => {
  const message = new Map<number, WireValue[]>()
  let at = 0
  let count = 0
  while (at < bytes.length) {
    const tag = readVarint(bytes, at) ?? damaged()
    const { field, type } = splitTag(tag.value)
    const { value, next } = readValue(bytes, tag.next, type)
    at = next
    count += 1
    if (count > valuesMax) return damaged()
    const values = message.get(field)
    if (values === undefined) message.set(field, [value])
    else values.push(value)
  }
  return message
}

const readValue = (bytes: Uint8Array, start: number, type: WireType): { value: WireValue; next: number } => {
  if (type === 'varint') return readVarint(bytes, start) ?? damaged()
  const length = type === 'bytes' ? readVarint(bytes, start) : undefined
  if (type === 'bytes' && length === undefined) return damaged()
  const from = length?.next ?? start
  const size = length?.value ?? (type === 'fixed64' ? 8n : 4n)
  if (size > BigInt(bytes.length - from)) return damaged()
  const next = from + Number(size)
  return { value: bytes.subarray(from, next), next }
}

const text = new TextDecoder()

const bytesIn = (message: Message, field: number): readonly Uint8Array[] =>
  (message.get(field) ?? []).filter((value) => typeof value !== 'bigint')

/** A field that came twice has the value that came last: so the format says. */
export const textIn = (message: Message, field: number): string | undefined => {
  const last = bytesIn(message, field).at(-1)
  return last === undefined ? undefined : text.decode(last)
}

export const textsIn = (message: Message, field: number): readonly string[] =>
  bytesIn(message, field).map((value) => text.decode(value))

/** A negative number stands there as its 64 bits. */
export const signedIn = (message: Message, field: number): bigint | undefined => {
  const last = message
    .get(field)
    ?.filter((value) => typeof value === 'bigint')
    .at(-1)
  return last === undefined ? undefined : BigInt.asIntN(64, last)
}

/** Numbers may come one by one, as kotlinx writes them, or packed into one value. */
export const signedListIn = (message: Message, field: number): readonly bigint[] =>
  (message.get(field) ?? [])
    .flatMap((value) => (typeof value === 'bigint' ? [value] : unpack(value)))
    .map((value) => BigInt.asIntN(64, value))

const unpack = (bytes: Uint8Array): readonly bigint[] => {
  const values: bigint[] = []
  for (let at = 0; at < bytes.length;) {
    const { value, next } = readVarint(bytes, at) ?? damaged()
    values.push(value)
    at = next
  }
  return values
}

export const truthIn = (message: Message, field: number): boolean | undefined => {
  const value = signedIn(message, field)
  return value === undefined ? undefined : value !== 0n
}

export const float32In = (message: Message, field: number): number | undefined => {
  const last = bytesIn(message, field).at(-1)
  if (last === undefined || last.length !== 4) return undefined
  return new DataView(last.buffer, last.byteOffset, 4).getFloat32(0, true)
}

export const messagesIn = (message: Message, field: number): readonly Message[] =>
  bytesIn(message, field).map(readMessage)
