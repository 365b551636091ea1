import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useLocation } from '@tanstack/react-router'
import { loadStrings } from '../../text/language.ts'
import { closeItemMenu, useItemMenuRequest } from './item-menu-request.ts'

const ItemMenu = lazy(async () => {
  const [{ ItemMenu }] = await Promise.all([import('./item-menu.tsx'), loadStrings(['lists'])])
  return { default: ItemMenu }
})
const SubjectMenu = lazy(async () => {
  const [{ SubjectMenu }] = await Promise.all([import('./menu-at.tsx'), loadStrings(['lists'])])
  return { default: SubjectMenu }
})

/** Whatever has a menu opens the one there is: it exists once, around every page. */
export const ItemMenus = (): ReactNode => {
  const request = useItemMenuRequest()
  const { pathname } = useLocation()
  if (!request) return null
  const { x, y } = request.at
  return (
    <Suspense>
      <EndsWithPage key={pathname} />
      {'items' in request ? (
        <ItemMenu key={`${x} ${y} ${request.items[0]?.id ?? ''}`} request={request} />
      ) : (
        <SubjectMenu key={`${x} ${y} ${request.subject.id}`} request={request} />
      )}
    </Suspense>
  )
}

/** What the menu is about is not on the next page. */
const EndsWithPage = (): ReactNode => {
  useEffect(() => closeItemMenu, [])
  return null
}
