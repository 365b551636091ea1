/**
 * It is called for each address inside the book, and returns what to write in its place, or undefined when it may not
 * be there. The callee knows which file the address stands in.
 */
export type Resolve = (reference: string) => string | undefined

/** It says how an address is used: loaded by itself, loaded from style, or followed with a click. */
export type AddressUse = 'load' | 'style' | 'link' | 'fragment'

/** The address as it may stand in what we serve. Everything but a way inside the book is an exception with a reason. */
export const allowedAddress = (use: AddressUse, written: string, resolve: Resolve): string | undefined => {
  const address = asBrowsersRead(written)
  if (address.startsWith('#')) return use === 'load' || address === '#' ? undefined : address
  if (use === 'fragment' || address === '') return undefined
  if (use === 'link' && isOutsideLink(address)) return address
  if (use !== 'link' && embedded.test(address)) return address
  return isRelative(address) ? resolve(withSigns(address)) : undefined
}

/** A click leads out of the book. */
export const leadsToTheWeb = (address: string): boolean => /^https?:\/\//i.test(address)

const isOutsideLink = (address: string): boolean => leadsToTheWeb(address) || /^mailto:[^\s]/i.test(address)

/** Tabs and line breaks inside an address do not count, nor spaces and control characters around it. */
const asBrowsersRead = (written: string): string => {
  const address = written.replaceAll(/[\t\n\r]/g, '')
  let [start, end] = [0, address.length]
  while (start < end && address.charCodeAt(start) <= 0x20) start += 1
  while (end > start && address.charCodeAt(end - 1) <= 0x20) end -= 1
  return address.slice(start, end)
}

/** A percent sign that encodes nothing is meant as one; servers refuse it. */
const withSigns = (address: string): string => address.replaceAll(/%(?![0-9a-fA-F]{2})/g, '%25')

/** Pictures of points and fonts: neither can hold a script or lead anywhere. SVG can. */
const embedded =
  /^data:(?:image\/(?:png|jpe?g|gif|webp|avif)|(?:font|application)\/(?:x-)?(?:font-)?(?:woff2?|ttf|otf|truetype|opentype|sfnt))(?:;[\w-]+=[\w-]+)*;base64,[A-Za-z0-9+/=% ]*$/i

/** No scheme, no host, not from the root, and none of what a browser takes for a slash. A file of an EPUB has no colon. */
const isRelative = (address: string): boolean => {
  const [path = ''] = address.split(/[?#]/, 1)
  // eslint-disable-next-line no-control-regex
  return !path.startsWith('/') && !/[\\:\0-\x1F]/.test(path)
}

export interface Target {
  /** The name of a file of the book. */
  readonly path: string
  readonly fragment: string | undefined
}

/** The file an address in the file `from` means. Undefined when it leads out of the book at any step on its way. */
export const targetOf = (from: string, reference: string): Target | undefined => {
  const address = asBrowsersRead(reference)
  if (!isRelative(address)) return undefined
  const [, path = '', fragment] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(address) ?? []
  const steps = path === '' ? from.split('/') : walk(from.split('/').slice(0, -1), withSigns(path).split('/'))
  return steps === undefined ? undefined : { path: steps.join('/'), fragment }
}

const walk = (folder: readonly string[], steps: readonly string[]): string[] | undefined => {
  const path = [...folder]
  for (const step of steps.map(decodeStep)) {
    if (step === undefined) return undefined
    if (step === '..') {
      if (path.pop() === undefined) return undefined
    } else if (step !== '.') {
      path.push(step)
    }
  }
  return path
}

/** A slash that was written as `%2F` would be a step nobody has looked at; what is no UTF-8 no server would find. */
const decodeStep = (step: string): string | undefined => {
  if (!step.includes('%')) return step
  try {
    const decoded = decodeURIComponent(step)
    return /[/\\\0]/.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}

/** It keeps addresses in the file `from` as they were, as long as they stay inside the book. */
export const insideBook =
  (from: string): Resolve =>
  (reference) =>
    targetOf(from, reference) === undefined ? undefined : reference

/** The name of a file of the book as an address from its top. */
export const addressOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
