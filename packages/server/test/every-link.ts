import { plainRequest } from './plain-request.ts'

/** Somebody who follows links. */
export interface Walker {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** At most this many addresses of one form are requested: links to other books differ only in the id. */
  readonly sameMax: number
}

export interface Step {
  readonly from: string
  readonly href: string
  readonly status: number
  readonly text: string
}

const atOnce = 6
/** Lists are narrowed in as many ways as there are of putting facets together. */
const sameListMax = 2

/** It asks for the beginnings, and then for everything that is led to, each once. */
export const followLinks = async (url: string, walker: Walker, beginnings: readonly string[]): Promise<Step[]> => {
  const steps: Step[] = []
  const seen = new Set<string>()
  const forms = new Map<string, number>()
  let next = beginnings.map((href) => ({ from: '', href }))
  const isNew = ({ href }: { readonly href: string }): boolean => {
    const address = href.split('#')[0] ?? ''
    const form = formOf(address)
    const count = forms.get(form) ?? 0
    const max = /\?(?!v$)./.test(form) ? Math.min(walker.sameMax, sameListMax) : walker.sameMax
    if (seen.has(address) || count >= max) return false
    seen.add(address)
    forms.set(form, count + 1)
    return true
  }
  while (next.length > 0) {
    const batch = next.splice(0, atOnce).filter(isNew)
    const stepsRead = await Promise.all(batch.map((each) => ask(url, walker, each)))
    steps.push(...stepsRead)
    // The start may be closed to this user; then it is unknown what leads on from there.
    for (const { href, status, text } of stepsRead) if (status === 200) next.push(...linksIn(url, href, text))
  }
  return steps
}

const ask = async (url: string, { headers }: Walker, { from, href }: { from: string; href: string }): Promise<Step> => {
  const { status, headers: reply, text } = await plainRequest(url + href, { headers })
  const isDocument = /json|xml/.test(reply['content-type'] ?? '') && !/xhtml|svg/.test(reply['content-type'] ?? '')
  return { from, href, status, text: isDocument ? text : '' }
}

/** Ids and numbers are nothing to tell addresses by, nor is what is asked for in a query. */
const formOf = (address: string): string => {
  const [path = '', query = ''] = address.split('?')
  const names = query
    .split('&')
    .map((each) => each.split('=')[0] ?? '')
    .toSorted()
  return `${path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '{id}').replaceAll(/\/(?:\d+|[^/]*\.[^/]+)(?=\/|$)/g, '/{one}')}?${names.join('&')}`
}

const linksIn = (url: string, from: string, text: string): { from: string; href: string }[] => {
  const hrefs = text.startsWith('<') ? hrefsOfXml(text) : hrefsOfJson(JSON.parse(text || 'null'))
  return hrefs.flatMap((href) => {
    const address = new URL(filled(href), url + from)
    return address.origin === url ? [{ from, href: address.pathname + address.search + address.hash }] : []
  })
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
}

const hrefsOfXml = (text: string): string[] =>
  [...text.matchAll(/ (?:href|template)="([^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll(/&(?:amp|#39|quot|lt|gt);/g, (entity) => entities[entity] ?? entity),
  )

/** Links of lists stand by their relations, all others in `href`. */
const relations = new Set(['self', 'first', 'prev', 'next', 'last'])

const hrefsOfJson = (value: unknown, key = ''): string[] => {
  if (typeof value === 'string') return key === 'href' ? [value] : []
  if (Array.isArray(value)) return value.flatMap((each) => hrefsOfJson(each))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
    key === 'links' && relations.has(name) && typeof each === 'string' ? [each] : hrefsOfJson(each, name),
  )
}

const filled = (href: string): string =>
  href
    .replace('{searchTerms}', 'blame')
    .replace('{pageNumber}', '0')
    .replace('{maxWidth}', '300')
    .replace('{?query,title,author}', '?query=blame')
