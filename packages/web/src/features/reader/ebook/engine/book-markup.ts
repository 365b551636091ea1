/** Text that the browser may take for markup: the policy of the reader allows it under this one name. */
interface MarkupPolicy {
  createHTML(text: string): string
}

interface Policies {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string }): MarkupPolicy
}

/** The server has sanitised this markup (pins W5), and the document made from it is shown nowhere by itself. */
const rules: MarkupPolicy = { createHTML: (text) => text }

const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
const policy = trustedTypes?.createPolicy('carrel-book', rules) ?? rules

/**
 * The content security policy refuses styles that stand in markup, even in a document that is shown nowhere. They are
 * stored under harmless names until a script applies them in another way. The server rewrites every tag: no attribute
 * has a `>` or a quotation mark in it, no text a `<`.
 */
const withoutStyles = (text: string): string =>
  text
    .replaceAll(/(<[^>]*?\s)style="/g, '$1data-carrel-style="')
    .replaceAll(/<(\/?)style(?=[\s>/])/g, '<$1carrel-style')

export const parseBookMarkup = (text: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(withoutStyles(text)), 'application/xhtml+xml')
