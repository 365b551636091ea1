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

export const parseBookMarkup = (text: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(text), 'application/xhtml+xml')
