import type { AnyRouter } from '@tanstack/react-router'
import { goTo } from '../../go-to.ts'
import { paths } from '../../paths.ts'

/** Nothing stands before this in the history of the window, or nothing of ours, where browsers tell. */
const isFirst = (): boolean => {
  const { navigation, history } = window as Partial<Pick<Window, 'navigation'>> & Window
  return navigation === undefined ? history.length < 2 : !navigation.canGoBack
}

/** To where one came from; whoever came by a link from outside, to the start. */
export const leaveReader = (router: AnyRouter): void => {
  if (isFirst()) goTo(router, paths.home(), { replace: true })
  else window.history.back()
}
