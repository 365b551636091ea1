import { Check } from 'typebox/value'
import type { Row, RowSource } from '../../../database/rows.ts'
import { type CoverStore, isLastingCover, PackedPicture, packPicture, unpackPicture } from '../../covers/covers.ts'
import { picturesName, type ArchiveManifest } from './archive-format.ts'
import { readPart, UnusableArchive } from './archive-reader.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { lineOf, linesOf } from './lines.ts'

/** The pictures of covers that nobody can make again from the files of a library. */
export const writePictures = async (writer: ArchiveWriter, source: RowSource, store: CoverStore): Promise<number> => {
  let count = 0
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const lines of pictureLines(source, store)) {
      count += lines.length
      yield Buffer.from(lines.join(''))
    }
  }
  await writer.add(picturesName, bytes())
  return count
}

export async function* pictureLines(source: RowSource, store: CoverStore): AsyncGenerator<readonly string[]> {
  for await (const name of lastingNames(source)) {
    const picture = await packPicture(store, name)
    // It may have been removed after the rows were read.
    if (picture) yield [lineOf(picture)]
  }
}

async function* lastingNames(source: RowSource): AsyncGenerator<string> {
  const table = source.tables.find(({ name }) => name === 'cover')
  if (!table) return
  const at = (column: string): number => table.columns.indexOf(column)
  const [entity, origin, name] = [at('entity'), at('source'), at('content_hash')]
  const text = (row: Row, index: number): string => String(row[index])
  for await (const rows of source.rows(table))
    for (const row of rows)
      if (isLastingCover({ entity: text(row, entity), source: text(row, origin) })) yield text(row, name)
}

/**
 * The pictures go into a store, beside those that are there; without a store they are only checked. It returns how many
 * there are.
 */
export const readPictures = async (
  file: string,
  { parts, pictures }: ArchiveManifest,
  store: CoverStore | undefined,
): Promise<number> => {
  const part = parts.find(({ name }) => name === picturesName)
  if (!part) throw new UnusableArchive('The pictures are not in it.')
  let count = 0
  for await (const line of linesOf(readPart(file, part))) {
    if (!Check(PackedPicture, line)) throw new UnusableArchive('It holds a line that is no picture.')
    count += 1
    if (store && !(await unpackPicture(store, line)))
      throw new UnusableArchive('It holds a picture under a wrong name.')
  }
  if (count !== pictures) throw new UnusableArchive('Some of the pictures are not in it.')
  return count
}
