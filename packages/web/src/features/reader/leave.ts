import type { AnyRouter } from '@tanstack/react-router'
import { paths } from '../../paths.ts'

/** To where one came from; whoever came by a link from outside, to the start. */
export const leaveReader = (router: AnyRouter): void => {
  if (router.history.canGoBack()) router.history.back()
  else void router.navigate({ href: paths.home(), replace: true })
}
