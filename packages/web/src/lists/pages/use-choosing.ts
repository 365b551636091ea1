import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import type { SelectionControl } from '../selection/use-selection.ts'

interface ItemPositions<Item> {
  readonly itemAt: (position: number) => Item | undefined
  readonly indexAt: (position: number) => number
}

/** Clicks on items choose them while somebody is choosing, and with shift all in between; `x` chooses what has the focus. */
export const useChoosing = <Item>(
  { isChoosing, toggle, extendTo }: SelectionControl<Item>,
  { itemAt, indexAt }: ItemPositions<Item>,
) => {
  const { t } = useTranslation('lists')
  useShortcuts(t('shortcuts.list'), [
    {
      keys: 'x',
      label: t('selectKey'),
      run: () => {
        const index = indexOf(document.activeElement)
        const item = index === undefined ? undefined : itemAt(index)
        if (item && index !== undefined) toggle(indexAt(index), item)
      },
    },
  ])
  const choose = (event: MouseEvent): void => {
    const index = indexOf(event.target instanceof Element ? event.target.closest('[data-item]') : null)
    const item = index === undefined ? undefined : itemAt(index)
    const opensElsewhere = event.ctrlKey || event.metaKey || event.button !== 0
    if (index === undefined || !item || opensElsewhere || (!isChoosing && !event.shiftKey)) return
    event.preventDefault()
    if (event.shiftKey) extendTo(indexAt(index))
    else toggle(indexAt(index), item)
  }
  return { onClickCapture: choose }
}

const indexOf = (element: Element | null): number | undefined =>
  element instanceof HTMLElement && element.dataset.item !== undefined ? Number(element.dataset.item) : undefined
