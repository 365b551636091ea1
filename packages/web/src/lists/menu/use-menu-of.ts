import { createContext, type HTMLAttributes, type KeyboardEvent, type MouseEvent, type PointerEvent, use } from 'react'
import { watchHold } from './hold.ts'
import {
  isItemMenuOpen,
  type ItemMenuRequest,
  type MenuItem,
  type MenuSubject,
  openItemMenu,
} from './item-menu-request.ts'

const nothing: ReadonlyMap<string, MenuItem> = new Map()

/** What is chosen in the list around: a menu on one of these is for all of them. */
export const ChosenItems = createContext<ReadonlyMap<string, MenuItem>>(nothing)

type Handlers = Pick<HTMLAttributes<HTMLElement>, 'onContextMenu' | 'onKeyDown' | 'onPointerDown'>

/** A menu opens at a place, for an element. */
type OpenAt = (element: HTMLElement, at: ItemMenuRequest['at']) => void

/**
 * What an element gets that shows a book or a series, so that its menu opens on it: by the other button of the mouse, the key for
 * menus, Shift+F10, and a finger that stays. With Shift the mouse opens the menu of the browser.
 */
export const useMenuOf = (): ((item: MenuItem) => Handlers) => {
  const chosen = use(ChosenItems)
  return (item) => handlersOf((element, at) => open({ item, chosen }, element, at))
}

/** The same for what brings its actions along; what has none gets no menu. */
export const menuOfSubject = (subject: MenuSubject): Handlers =>
  subject.actions.length === 0 ? {} : handlersOf((element, at) => openItemMenu({ subject, at, from: linkIn(element) }))

const handlersOf = (openAt: OpenAt): Handlers => ({
  onContextMenu: (event: MouseEvent<HTMLElement>) => {
    if (event.shiftKey && event.button === 2) return
    event.preventDefault()
    if (!isItemMenuOpen()) openAt(event.currentTarget, { x: event.clientX, y: event.clientY })
  },
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
    event.preventDefault()
    const { currentTarget } = event
    // A menu listens to keys as soon as it is there: this one is not meant for it, and would close it.
    setTimeout(() => openOn(openAt, currentTarget))
  },
  onPointerDown: (event: PointerEvent<HTMLElement>) => {
    const { currentTarget, clientX, clientY } = event
    watchHold(event, () => openAt(currentTarget, { x: clientX, y: clientY }))
  },
})

interface Subject {
  readonly item: MenuItem
  readonly chosen: ReadonlyMap<string, MenuItem>
}

const open = ({ item, chosen }: Subject, element: HTMLElement, at: ItemMenuRequest['at']): void => {
  const items = chosen.size > 1 && chosen.has(item.id) ? [...chosen.values()] : [item]
  openItemMenu({ items, at, from: linkIn(element) })
}

const linkIn = (element: HTMLElement): HTMLElement => {
  const around = element.closest<HTMLElement>('article, [role=row]') ?? element
  return around.querySelector<HTMLElement>('a') ?? element
}

/** Without a pointer it opens on the element itself. */
const openOn = (openAt: OpenAt, element: HTMLElement): void => {
  element.scrollIntoView({ block: 'nearest' })
  const { left, top, height } = element.getBoundingClientRect()
  openAt(element, { x: left + 12, y: top + Math.min(height, 48) })
}

/** A button opens it below itself. */
export const useOpenMenu = (): ((item: MenuItem, button: HTMLElement) => void) => {
  const chosen = use(ChosenItems)
  return (item, button) => {
    const { left, bottom } = button.getBoundingClientRect()
    open({ item, chosen }, button, { x: left, y: bottom + 4 })
  }
}
