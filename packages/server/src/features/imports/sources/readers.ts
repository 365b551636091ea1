import type { Reader, SourceKind } from '../records.ts'
import { calibre } from './calibre/calibre.ts'
import { codex } from './codex/codex.ts'
import { kavita } from './kavita/kavita.ts'
import { komga } from './komga/komga.ts'
import { lanraragi } from './lanraragi/lanraragi.ts'
import { mihon } from './mihon/mihon.ts'
import { stump } from './stump/stump.ts'

/** A kind that is not among these cannot be read yet. */
export const readers: ReadonlyMap<SourceKind, Reader> = new Map(
  [komga, kavita, codex, stump, lanraragi, calibre, mihon].map((reader) => [reader.kind, reader]),
)
