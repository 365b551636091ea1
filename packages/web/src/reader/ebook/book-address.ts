/** It is where a reference in a file of the book leads. */
export type Target =
  | { readonly kind: 'inside'; readonly href: string; readonly fragment: string | undefined }
  | { readonly kind: 'outside'; readonly address: string }

/** Any host will do: it only serves to resolve addresses. */
const root = 'http://book.invalid/'

/** `from` and the answer are as the manifest writes them: `resources/text/one.xhtml`. */
export const targetOf = (from: string, reference: string): Target | undefined => {
  if (/^(?:https?:\/\/|mailto:)/i.test(reference)) return { kind: 'outside', address: reference }
  if (!URL.canParse(reference, root + from)) return undefined
  const { href, origin, hash } = new URL(reference, root + from)
  if (`${origin}/` !== root) return undefined
  const written = href.slice(root.length).split(/[?#]/, 1)[0] ?? ''
  const path = written
    .split('/')
    .map((step) => encodeURIComponent(decoded(step)))
    .join('/')
  if (!path.startsWith('resources/')) return undefined
  const fragment = hash.length > 1 ? decoded(hash.slice(1)) : undefined
  return { kind: 'inside', href: path, fragment }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
