import type { ConditionTarget } from '@carrel/api'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '../../../ui/state/live-region.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import {
  added,
  type Direction,
  duplicated,
  type Group,
  moved,
  movedInto,
  type Part,
  removed,
  replaced,
} from './builder.ts'

interface DropTarget {
  readonly groupId: number
  readonly beforeId?: number | undefined
}

/** It stays the same while the tree changes, so that only one of a hundred rules is rendered again. */
export interface Builder {
  readonly target: ConditionTarget
  add(groupId: number, part: Part): void
  replace(id: number, change: (part: Part) => Part): void
  duplicate(id: number): void
  remove(id: number): void
  move(id: number, direction: Direction): void
  drag(id: number | undefined): void
  isDragging(): boolean
  drop(target: DropTarget): void
}

const Context = createContext<Builder | undefined>(undefined)

export const useBuilder = (): Builder => {
  const builder = useContext(Context)
  if (!builder) throw new Error('There is no builder around this')
  return builder
}

interface ProviderProps {
  readonly target: ConditionTarget
  readonly root: Group
  readonly change: (next: Group) => void
  readonly children: ReactNode
}

/** Every part of the builder can change the whole of it through this. */
export const BuilderProvider = ({ target, root, change, children }: ProviderProps): ReactNode => {
  const { t } = useTranslation('search')
  const latest = useRef({ root, change })
  useEffect(() => {
    latest.current = { root, change }
  })
  const dragged = useRef<number>(undefined)
  const builder = useMemo((): Builder => {
    const become = (make: (root: Group) => Group): void => latest.current.change(make(latest.current.root))
    return {
      target,
      add: (groupId, part) => become((root) => added(root, groupId, part)),
      replace: (id, with_) => become((root) => replaced(root, id, with_)),
      duplicate: (id) => become((root) => duplicated(root, id)),
      remove: (id) => {
        const before = latest.current.root
        become((root) => removed(root, id))
        toast({ text: t('advanced.removed'), undo: () => become(() => before) })
      },
      move: (id, direction) => {
        const before = latest.current.root
        const next = moved(before, id, direction)
        announce(next === before ? t('advanced.cannotMove') : t(`advanced.moved.${direction}`))
        if (next !== before) become(() => next)
      },
      drag: (id) => {
        dragged.current = id
      },
      isDragging: () => dragged.current !== undefined,
      drop: (target) => {
        const id = dragged.current
        dragged.current = undefined
        if (id !== undefined) become((root) => movedInto(root, id, target))
      },
    }
  }, [target, t])
  return <Context value={builder}>{children}</Context>
}
