import type { BookDto, SeriesDto } from '@carrel/api'
import { useSyncExternalStore } from 'react'
import type { MenuAction } from '../../ui/action-menu.tsx'
import type { IconName } from '../../ui/icon.tsx'

export type MenuItem = SeriesDto | BookDto

interface Pointed {
  readonly at: { readonly x: number; readonly y: number }
  /** It gets the focus back. */
  readonly from: HTMLElement
}

export interface ItemMenuRequest extends Pointed {
  /** The menu is for all of them: what is chosen goes together. */
  readonly items: readonly MenuItem[]
}

/** Whatever is neither a book nor a series brings its actions along: a collection, a read list, a library, a person. */
export interface MenuSubject {
  readonly id: string
  readonly name: string
  /** What else is said of it on a sheet, which hides it. */
  readonly text: string
  readonly cover: string | null
  readonly icon: IconName
  readonly actions: readonly MenuAction[]
}

export interface SubjectMenuRequest extends Pointed {
  readonly subject: MenuSubject
}

export type MenuRequest = ItemMenuRequest | SubjectMenuRequest

let request: MenuRequest | undefined
const listeners = new Set<() => void>()

const become = (next: MenuRequest | undefined): void => {
  request = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const openItemMenu = (next: MenuRequest): void => become(next)

export const closeItemMenu = (): void => {
  const { from } = request ?? {}
  become(undefined)
  from?.focus({ preventScroll: true })
}

export const isItemMenuOpen = (): boolean => request !== undefined

export const useItemMenuRequest = (): MenuRequest | undefined => useSyncExternalStore(subscribe, () => request)
