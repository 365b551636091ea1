import type { AnyRouter } from '@tanstack/react-router'
import { goTo } from '../../go-to.ts'
import { paths } from '../../paths.ts'

/** Nothing stands before this in the history of the window, or nothing of ours, where browsers tell. */
const isFirst = (): boolean => ('navigation' in window ? !window.navigation.canGoBack : window.history.length < 2)

/** To where one came from; whoever came by a link from outside, to the start. */
export const leaveReader = (router: AnyRouter): void => {
  if (isFirst()) goTo(router, paths.home(), { replace: true })
  else window.history.back()
}
