import type { NamedBook } from '@carrel/api'
import type { FileRow } from './queries.ts'

export const named = ({ is_one_shot, ...book }: NamedBook & Pick<FileRow, 'is_one_shot'>): NamedBook => ({
  ...book,
  oneShot: is_one_shot === 1,
})

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
