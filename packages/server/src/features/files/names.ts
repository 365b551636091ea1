import type { NamedBook } from '@carrel/api'
import { isOneShot, type MaybeOneShot } from '../../catalogue/one-shots/one-shots.ts'

type NamedRow = MaybeOneShot & Required<Pick<NamedBook, 'title' | 'number' | 'volume' | 'chapter' | 'seriesName'>>

export const named = (row: NamedRow): NamedBook => {
  const { title, number, volume, chapter, seriesName } = row
  return { title, number, volume, chapter, seriesName, oneShot: isOneShot(row) }
}

/** Names differ also for file systems that do not tell capitals from small letters. */
export const uniqueName = (
  { stem, extension }: { readonly stem: string; readonly extension: string },
  taken: Set<string>,
): string => {
  let free = `${stem}${extension}`
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${extension}`
  taken.add(free.toLowerCase())
  return free
}

/** `.kepub.epub` is one. */
export const extensionOf = (fileName: string): string => /(?:\.kepub|\.fb2)?\.[^.\s]{1,8}$/i.exec(fileName)?.[0] ?? ''
