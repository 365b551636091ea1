/** It is the result of checking a whole file. `unknown` means that the check could not be finished. */
export type Verdict =
  | { readonly kind: 'sound' }
  | { readonly kind: 'damaged'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string }
