import type { AnyRouter } from '@tanstack/react-router'
import { goTo } from '../../../navigation/go-to.ts'
import { paths } from '../../../navigation/paths.ts'
import { toldBeforeLeaving } from '../../../reader/before-leaving.ts'

/** The history of the window has no entry before this one, or none of ours, where browsers tell. */
const isFirst = (): boolean => {
  const { navigation, history } = window as Partial<Pick<Window, 'navigation'>> & Window
  return navigation === undefined ? history.length < 2 : !navigation.canGoBack
}

/** The reader goes back to the page the user came from; whoever came by a link from outside goes to the start page. */
export const leaveReader = (router: AnyRouter): void => {
  if (!isLeaving) void tellAndLeave(router)
}

const tellAndLeave = async (router: AnyRouter): Promise<void> => {
  isLeaving = true
  await toldBeforeLeaving()
  isLeaving = false
  if (isFirst()) goTo(router, paths.home(), { replace: true })
  else window.history.back()
}

/** Who presses twice leaves once. */
let isLeaving = false
