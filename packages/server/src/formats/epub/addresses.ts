import { addressOf, type Target, targetOf } from '../markup/references.ts'
import type { EpubFiles } from './files.ts'

/**
 * The file of the book that an address in the file `from` means, by its name in the archive. Some write names as they are
 * where they should stand percent-encoded: what is no file by the letter may be one by its name.
 */
export const fileAt = (files: Pick<EpubFiles, 'nameOf'>, from: string, href: string): Target | undefined => {
  for (const { address, fragment } of readingsOf(href.toWellFormed())) {
    const target = targetOf(from, address)
    const path = target && files.nameOf(target.path)
    if (path !== undefined) return { path, fragment: fragment ?? target?.fragment }
  }
  return undefined
}

interface Reading {
  readonly address: string
  /** It is present where the fragment is not in the address. */
  readonly fragment?: string
}

const readingsOf = (href: string): Reading[] => {
  const sign = href.lastIndexOf('#')
  return [
    { address: href },
    { address: encodeURI(href) },
    { address: addressOf(href) },
    { address: addressOf(withoutEncoding(href)) },
    ...(sign < 0 ? [] : [{ address: addressOf(href.slice(0, sign)), fragment: href.slice(sign + 1) }]),
  ]
}

/** Spaces are encoded by many who forget the rest. */
const withoutEncoding = (href: string): string => {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
