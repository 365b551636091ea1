import type { BookDto, SeriesDto } from '@carrel/api'
import { useSyncExternalStore } from 'react'

export type MenuItem = SeriesDto | BookDto

export interface ItemMenuRequest {
  /** The menu is for all of them: what is chosen goes together. */
  readonly items: readonly MenuItem[]
  readonly at: { readonly x: number; readonly y: number }
  /** It gets the focus back. */
  readonly from: HTMLElement
}

let request: ItemMenuRequest | undefined
const listeners = new Set<() => void>()

const become = (next: ItemMenuRequest | undefined): void => {
  request = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const openItemMenu = (next: ItemMenuRequest): void => become(next)

export const closeItemMenu = (): void => {
  const { from } = request ?? {}
  become(undefined)
  from?.focus({ preventScroll: true })
}

export const isItemMenuOpen = (): boolean => request !== undefined

export const useItemMenuRequest = (): ItemMenuRequest | undefined => useSyncExternalStore(subscribe, () => request)
