import type { AnyRouter } from '@tanstack/react-router'

/** The reader is a document of its own, with a policy of its own: to enter it, or to leave it, is to load a page. */
const inReader = /^\/read(?=[/?]|$)/

/** It returns whether the address belongs to the other one of our two documents. */
export const isElsewhere = (router: AnyRouter, to: string): boolean =>
  inReader.test(to) !== inReader.test(router.state.location.pathname)

/** The whole address, as links have it. */
export const hrefTo = ({ basepath, history }: AnyRouter, to: string): string =>
  history.createHref(basepath === '/' ? to : `${basepath}${to}`)

/** It goes to an address of the app: one of `paths`. */
export const goTo = (router: AnyRouter, to: string, { replace = false } = {}): void => {
  if (!isElsewhere(router, to)) void router.navigate({ href: to, replace })
  else if (replace) window.location.replace(hrefTo(router, to))
  else window.location.assign(hrefTo(router, to))
}
