import { SaxesParser } from 'saxes'
import type { StoredObject } from '../store.ts'

export interface Listing {
  readonly objects: readonly StoredObject[]
  /** The next part of the list begins there; undefined: this was the last. */
  readonly next: string | undefined
}

/** It reads one part of a list, as S3 writes it. */
export const readListing = (xml: string): Listing => {
  const objects: StoredObject[] = []
  const path: string[] = []
  let values: Record<string, string> = {}
  let text = ''
  let next: string | undefined
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    path.push(name)
    text = ''
    if (name === 'Contents') values = {}
  })
  parser.on('text', (more) => {
    text += more
  })
  parser.on('closetag', ({ name }) => {
    path.pop()
    if (path.at(-1) === 'Contents') values[name] = text
    else if (name === 'NextContinuationToken') next = text
    else if (name === 'Contents') {
      const { Key: key, Size: size, LastModified: changed } = values
      if (key !== undefined) objects.push({ key, size: Number(size), changedAt: new Date(changed ?? '') })
    }
  })
  parser.write(xml).close()
  return { objects, next }
}

/** The number of an upload in parts; undefined: the answer has none. */
export const uploadIdIn = (xml: string): string | undefined => /<UploadId>([^<]+)<\/UploadId>/.exec(xml)?.[1]
