/** Text that the browser may take for markup: the policy of the reader allows it under this one name. */
interface MarkupPolicy {
  createHTML(text: string): string
}

interface Policies {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string }): MarkupPolicy
}

/** What comes in here the server has made safe (pins W5), and it becomes a document that is shown nowhere by itself. */
const rules: MarkupPolicy = { createHTML: (text) => text }

const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
const policy = trustedTypes?.createPolicy('carrel-book', rules) ?? rules

/**
 * Styles that stand in the markup the policy refuses, even in a document that is shown nowhere. Under names that mean
 * nothing they wait for whoever puts them on by other ways. The server writes every tag anew: no attribute has a `>` or a
 * quotation mark in it, no text a `<`.
 */
const withoutStyles = (text: string): string =>
  text
    .replaceAll(/(<[^>]*?\s)style="/g, '$1data-carrel-style="')
    .replaceAll(/<(\/?)style(?=[\s>/])/g, '<$1carrel-style')

export const parseBookMarkup = (text: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(withoutStyles(text)), 'application/xhtml+xml')
