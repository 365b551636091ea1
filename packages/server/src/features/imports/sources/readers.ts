import type { Reader, SourceKind } from '../records.ts'
import { komga } from './komga/komga.ts'

/** A kind that is not among these cannot be read yet. */
export const readers: ReadonlyMap<SourceKind, Reader> = new Map([komga].map((reader) => [reader.kind, reader]))
