import { readFile } from 'node:fs/promises'
import type { Language } from '@carrel/api'

interface Strings {
  readonly [key: string]: string | Strings
}

/** All texts of the server in a language, as they stand in its file. */
export const textsOfEverything = async (
  language: Language,
): Promise<readonly { readonly key: string; readonly text: string }[]> => {
  const file = new URL(`../src/texts/strings/${language}.json`, import.meta.url)
  return entriesOf(JSON.parse(await readFile(file, 'utf8')) as Strings)
}

const entriesOf = (strings: Strings, above = ''): { key: string; text: string }[] =>
  Object.entries(strings).flatMap(([key, value]) =>
    typeof value === 'string' ? [{ key: above + key, text: value }] : entriesOf(value, `${above}${key}.`),
  )
