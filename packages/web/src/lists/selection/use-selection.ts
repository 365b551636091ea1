import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { announce } from '../../ui/state/live-region.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import {
  nothingSelected,
  pagesOf,
  type Range,
  rangeBetween,
  type Selection,
  withRange,
  withToggled,
} from './selection.ts'
import { type ListSource, pageSize } from '../pages/use-pages.ts'

/** Nobody chooses more than this one by one. */
export const selectionMax = 2000

export interface SelectionControl<Item> {
  readonly items: ReadonlyMap<string, Item>
  /** Clicks choose instead of leading somewhere. */
  readonly isChoosing: boolean
  readonly choose: (isChoosing: boolean) => void
  readonly toggle: (index: number, item: Item) => void
  readonly extendTo: (index: number) => void
  readonly selectAll: (count: number) => void
  readonly clear: () => void
}

const readRange = async <Item>(source: ListSource<Item>, range: Range): Promise<Item[]> => {
  const items: Item[] = []
  for (const { page, start, end } of pagesOf(range, pageSize)) {
    const { body } = await queryClient.fetchQuery(source.page(page))
    items.push(...body.data.slice(start, end))
  }
  return items
}

/** A range may include entries that are not loaded yet: they are loaded for it. */
export const useSelection = <Item extends { readonly id: string }>(
  source: ListSource<Item>,
): SelectionControl<Item> => {
  const { t } = useTranslation('lists')
  const textOf = useProblemText()
  const [selection, setSelection] = useState<Selection<Item>>(nothingSelected)
  const [isChoosing, choose] = useState(false)
  // Entries may be chosen while others of a range are still being loaded.
  const latest = useRef(selection)
  const become = (next: Selection<Item>): void => {
    latest.current = next
    setSelection(next)
    announce(t('selected', { count: next.items.size }))
  }
  const take = async (range: Range, index: number): Promise<void> => {
    if (range.to - range.from >= selectionMax)
      return toast({ kind: 'problem', text: t('tooMany', { count: selectionMax }) })
    try {
      const items = await readRange(source, range)
      become(withRange(latest.current, index, items))
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
  }
  return {
    items: selection.items,
    isChoosing: isChoosing || selection.items.size > 0,
    choose,
    toggle: (index, item) => become(withToggled(latest.current, index, item)),
    extendTo: (index) => void take(rangeBetween(latest.current.anchor, index), index),
    selectAll: (count) => void take({ from: 0, to: count - 1 }, 0),
    clear: () => {
      choose(false)
      latest.current = nothingSelected
      setSelection(nothingSelected)
    },
  }
}
