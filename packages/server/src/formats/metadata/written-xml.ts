/** Text between tags, or in an attribute. XML has no way to write most controls and lone surrogates: they are left out. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unwritable, '')
    .replaceAll(/[&<>"\r]/g, (sign) => references[sign] ?? sign)

// oxlint-disable-next-line no-control-regex -- These are what must not be in it.
const unwritable = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFD-\uFFFF]/g
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
