export type Surface = 'json' | 'app' | 'docs' | 'media' | 'framedPart'

/**
 * The content security policy of each surface. A new surface adds a row; no row is ever loosened.
 * `docs` needs data: images for the icons of its style sheet, and its own style attributes are set by script.
 * `{base}` is the path below which everything of ours lies.
 */
const policies: Readonly<Record<Surface | 'reader', string>> = {
  json: "default-src 'none'; frame-ancestors 'none'",
  // Pictures, files and what is inside of books: never a document of ours, whoever made it.
  media: "default-src 'none'; sandbox; frame-ancestors 'none'",
  // A part of a book at a door whose applications show it in a frame of the same origin: none of it runs, nor loads from
  // elsewhere, nor sends a form. Its own styles stand in it, and pictures and fonts may, as the sanitiser has left them.
  framedPart:
    "default-src 'none'; script-src 'none'; object-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  // Pictures come from us, from memory (`blob:`: what is about to be uploaded) and from nowhere else; no text becomes markup.
  // The manifest, by which browsers put the app among others, is a file of ours like any other.
  app: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  // Shows what is inside of books, which is nobody's we know: scripts come from the folder of our own, books talk to nobody,
  // and text becomes markup only through the one function that is named here. By path, since a proxy may keep from us how
  // we are called; the second policy, which must hold as well, says that it is our own server whose folder is meant.
  reader: `default-src 'none'; script-src *:*{base}/assets/; style-src *:*{base}/assets/ blob:; img-src 'self' blob:; font-src 'self' blob:; media-src *:*{base}/api/; connect-src *:*{base}/api/ *:*{base}/media/ *:*{base}/health; frame-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types carrel-book, default-src 'self' blob:`,
  docs: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
} as const

const headersOf = (surface: Surface) => ({ ...everywhere, 'content-security-policy': policies[surface] })
const headers: Readonly<Record<Surface, Readonly<Record<string, string>>>> = {
  json: headersOf('json'),
  media: headersOf('media'),
  app: headersOf('app'),
  docs: headersOf('docs'),
  framedPart: { ...headersOf('framedPart'), 'x-frame-options': 'SAMEORIGIN' },
}

export const securityHeaders = (surface: Surface): Readonly<Record<string, string>> => headers[surface]

/** A page of ours may name our folders. */
export const pageHeaders = (page: 'app' | 'reader', basePath: string) => ({
  ...everywhere,
  'content-security-policy': policies[page].replaceAll('{base}', basePath),
})
