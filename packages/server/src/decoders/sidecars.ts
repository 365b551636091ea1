import type { MetadataLayer } from '../formats/book-format.ts'
import { bookLimits } from '../formats/limits.ts'
import { comicInfoLayer } from '../formats/metadata/comic-info.ts'
import { opfLayer } from '../formats/metadata/opf.ts'
import { seriesJsonLayer } from '../formats/metadata/series-json.ts'
import { openLibraryFile } from '../platform/storage/library-files.ts'

/** It reads the files beside books, by their names; null where one says nothing that can be understood. */
export const sidecars = async (
  { paths }: { readonly paths: readonly string[] },
  emit: (part: number) => void,
): Promise<{ readonly layers: readonly (MetadataLayer | null)[] }> => {
  const layers = paths.map((path, index) => {
    emit(index)
    return read(path)
  })
  return { layers }
}

const read = (path: string): MetadataLayer | null => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  try {
    if (name === 'series.json') return seriesJsonLayer(bytesOf(path))
    if (name === 'comicinfo.xml') return { ...comicInfoLayer(bytesOf(path)), source: 'sidecar:comicinfo' }
    return name.endsWith('.opf') ? opfLayer(bytesOf(path), 'sidecar:opf') : null
  } catch {
    // One that is broken never stands in the way of the book beside it.
    return null
  }
}

const bytesOf = (path: string): Buffer => {
  const file = openLibraryFile(path)
  try {
    return file.read(0, bookLimits.xmlBytes)
  } finally {
    file.close()
  }
}
