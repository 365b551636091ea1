/**
 * A page asks at its next visit for what it asked for at the last one, before its scripts are read: the script before the first
 * paint sends the requests (first-paint.js), and whoever needs an answer takes it from here.
 */
declare global {
  /** By address: what has been sent; undefined where that failed. */
  var askedAhead: Map<string, Promise<Response | undefined>> | undefined
}

interface RememberedPages {
  readonly headers: Readonly<Record<string, string>>
  /** The newest comes first. */
  readonly pages: readonly (readonly [page: string, addresses: readonly string[]])[]
}

const storageKey = 'carrel.ahead'
const pagesMax = 12
const addressesMax = 16

/** It is undefined as soon as the page stands: what is asked for later is no part of its beginning. */
let noted: Set<string> | undefined = new Set()

/** It answers with what was asked ahead, once. */
export const takeEarlyResponse = (address: string): Promise<Response | undefined> | undefined => {
  noted?.add(address)
  const response = globalThis.askedAhead?.get(address)
  globalThis.askedAhead?.delete(address)
  return response
}

/** Whoever comes next is somebody else, or asks later: these answers are old by then. */
export const forgetEarlyResponses = (): void => {
  globalThis.askedAhead = undefined
  noted = undefined
}

/** It keeps what the page has asked for by now. */
export const rememberRequests = (page: string, headers: RememberedPages['headers']): void => {
  const addresses = [...(noted ?? [])].slice(0, addressesMax)
  forgetEarlyResponses()
  if (addresses.length === 0) return
  try {
    const { pages } = JSON.parse(localStorage.getItem(storageKey) ?? '{"pages":[]}') as RememberedPages
    const others = pages.filter(([each]) => each !== page)
    const remembered: RememberedPages = { headers, pages: [[page, addresses] as const, ...others].slice(0, pagesMax) }
    localStorage.setItem(storageKey, JSON.stringify(remembered))
  } catch {
    // Storage may be forbidden or full, or hold what nobody can read: then the next visit begins like the first.
    forgetPages()
  }
}

/** What pages asked for says what somebody has looked at. */
export const forgetPages = (): void => {
  forgetEarlyResponses()
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Nothing is kept where storage is forbidden.
  }
}
