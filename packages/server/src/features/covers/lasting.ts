/**
 * It returns whether a picture would be lost with its file: one made from a book is made again when somebody asks for
 * it.
 */
export const isLastingCover = ({ entity, source }: { readonly entity: string; readonly source: string }): boolean =>
  source !== 'file' && (source !== 'sidecar' || entity === 'series')
