import type { LibraryDto, LibraryPatch } from '@carrel/api'
import { isSameGrouping } from '../grouping/grouping.ts'

/** It holds the choices about an existing library, in the form's shape. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly roots: readonly string[]
  readonly grouping: LibraryDto['grouping']
  readonly numbering: LibraryDto['numbering']
  readonly titleFrom: LibraryDto['titleFrom']
  readonly readingDirection: LibraryDto['readingDirection']
  /** Null: everything that can be read. */
  readonly formats: LibraryDto['formats']
  readonly exclude: readonly string[]
  readonly schedule: LibraryDto['schedule']
  readonly watch: boolean
  readonly listsFromFiles: boolean
  readonly sidecars: LibraryDto['sidecars']
}

export const draftOf = (library: LibraryDto): Draft => ({
  name: library.name,
  description: library.description ?? '',
  roots: library.roots ?? [],
  grouping: library.grouping,
  numbering: library.numbering,
  titleFrom: library.titleFrom,
  readingDirection: library.readingDirection,
  formats: library.formats,
  exclude: library.exclude,
  schedule: library.schedule,
  watch: library.watch,
  listsFromFiles: library.listsFromFiles,
  sidecars: library.sidecars,
})

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The patch holds what differs, in the server's shape; it is empty when nothing does. */
export const changesOf = (from: Draft, to: Draft): LibraryPatch => ({
  ...(from.name !== to.name && { name: to.name }),
  ...(from.description !== to.description && { description: to.description === '' ? null : to.description }),
  ...(!isSame(from.roots, to.roots) && { roots: [...to.roots] }),
  ...(!isSameGrouping(from.grouping, to.grouping) && { grouping: to.grouping }),
  ...(from.numbering !== to.numbering && { numbering: to.numbering }),
  ...(from.titleFrom !== to.titleFrom && { titleFrom: to.titleFrom }),
  ...(from.readingDirection !== to.readingDirection && { readingDirection: to.readingDirection }),
  ...(!isSame(from.formats, to.formats) && { formats: to.formats }),
  ...(!isSame(from.exclude, to.exclude) && { exclude: [...to.exclude] }),
  ...(!isSame(from.schedule, to.schedule) && { schedule: to.schedule }),
  ...(from.watch !== to.watch && { watch: to.watch }),
  ...(from.listsFromFiles !== to.listsFromFiles && { listsFromFiles: to.listsFromFiles }),
  ...(from.sidecars !== to.sidecars && { sidecars: to.sidecars }),
})

export const isChanged = (patch: LibraryPatch): boolean => Object.keys(patch).length > 0
