/** RFC 6266: a name that every client understands, and the true one for those that know UTF-8. */
export const contentDisposition = (kind: 'inline' | 'attachment', fileName?: string): string => {
  if (fileName === undefined) return kind
  const name = onOneLine(fileName)
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_')
  const parts = [kind, `filename="${plain}"`]
  if (plain !== name) parts.push(`filename*=UTF-8''${extended(name)}`)
  return parts.join('; ')
}

/** No name leads out of the folder it is saved in, whatever a client makes of it. */
const onOneLine = (name: string): string => name.toWellFormed().replaceAll(/[\p{Cc}/\\]/gu, '_')

/** RFC 8187: what `encodeURIComponent` leaves as it is and this form does not. */
const extended = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
