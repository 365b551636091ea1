import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useLocation } from '@tanstack/react-router'
import { loadStrings } from '../../text/language.ts'
import { closeItemMenu, useItemMenuRequest } from './item-menu-request.ts'

const ItemMenu = lazy(async () => {
  const [{ ItemMenu }] = await Promise.all([import('./item-menu.tsx'), loadStrings(['lists'])])
  return { default: ItemMenu }
})

/** Whatever shows a book or a series opens the one menu there is: it exists once, around every page. */
export const ItemMenus = (): ReactNode => {
  const request = useItemMenuRequest()
  const { pathname } = useLocation()
  if (!request) return null
  return (
    <Suspense>
      <EndsWithPage key={pathname} />
      <ItemMenu key={`${request.at.x} ${request.at.y} ${request.items[0]?.id ?? ''}`} request={request} />
    </Suspense>
  )
}

/** What the menu is about is not on the next page. */
const EndsWithPage = (): ReactNode => {
  useEffect(() => closeItemMenu, [])
  return null
}
