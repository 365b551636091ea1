/**
 * The page of ours that somebody wants to end at, as a browser would understand it; undefined when that is not below
 * the base path. Browsers take `/\host` and `//host` for another server, and drop tabs and line breaks.
 */
export const ownPath = (wanted: string, basePath: string): string | undefined => {
  // oxlint-disable-next-line no-control-regex -- These are what must not be in it.
  if (!wanted.startsWith('/') || /[\\\u0000-\u0020\u007f-\u009f]/.test(wanted)) return undefined
  if (!URL.canParse(wanted, here)) return undefined
  const { origin, pathname, search, hash } = new URL(wanted, here)
  if (origin !== here || pathname.startsWith('//')) return undefined
  if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return undefined
  return pathname + search + hash
}

const here = 'http://carrel.invalid'
