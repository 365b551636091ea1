/** It detects the type of a font by its first bytes. */
export const fontType = (bytes: Buffer): string | undefined => fonts.get(bytes.toString('latin1', 0, 4))

const fonts = new Map([
  ['OTTO', 'font/otf'],
  ['\0\u0001\0\0', 'font/ttf'],
  ['true', 'font/ttf'],
  ['ttcf', 'font/collection'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
])
