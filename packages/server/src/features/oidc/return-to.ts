/**
 * The page of ours that somebody wants to end at, as a browser would understand it; undefined when that is not below
 * the base path. Browsers take `/\host` and `//host` for another server, and drop tabs and line breaks.
 */
export const ownPath = (address: string, basePath: string): string | undefined => {
  // oxlint-disable-next-line no-control-regex -- These are what must not be in it.
  if (!address.startsWith('/') || /[\\\u0000-\u0020\u007f-\u009f]/.test(address)) return undefined
  if (!URL.canParse(address, here)) return undefined
  const { origin, pathname, search, hash } = new URL(address, here)
  if (origin !== here || pathname.startsWith('//')) return undefined
  if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return undefined
  return pathname + search + hash
}

const here = 'http://carrel.invalid'
