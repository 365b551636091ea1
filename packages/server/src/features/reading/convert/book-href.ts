/**
 * Each door has addresses of its own for the parts of a book, with or without the host: the log holds them as the manifest
 * has them, `pages/23` or `resources/OEBPS/2.xhtml`, and what is no address of a part as it is.
 */
export const bookHref = (href: string): string => {
  const [, kind = '', part = ''] = /^.*\/books\/[0-9a-f-]{32,36}\/(pages|resources?)\/(.*)$/is.exec(href) ?? []
  if (part === '' || /^(?:pages|resources)\//.test(href)) return href
  return kind === 'pages' ? `pages/${/^\d*/.exec(part)?.[0]}` : `resources/${part}`
}

/** The page that an address names, as a part of a manifest or as a place in a document. */
export const pageInHref = (href: string): number | undefined => {
  const [, page] = /(?:^pages\/|#page=)(\d{1,7})$/.exec(bookHref(href)) ?? []
  return page !== undefined && Number(page) > 0 ? Number(page) : undefined
}

/** The file in the book that an address leads to, by its name; nothing for the address of a page. */
export const fileInHref = (href: string): string => {
  if (pageInHref(href) !== undefined) return ''
  const path = bookHref(href)
    .replace(/[#?].*$/s, '')
    .replace(/^\//, '')
    .replace(/^resources\//, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
