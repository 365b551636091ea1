import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemName } from '../../text/book-name.tsx'
import { Center } from '../../ui/layout/layout.tsx'
import styles from './select-box.module.css'
import type { SelectionControl } from './use-selection.ts'

interface SelectBoxProps<Item> {
  readonly item: Item
  readonly index: number
  readonly selection: SelectionControl<Item>
}

/** It chooses one item; with shift all from the last one on. The keyboard has `x` for it. */
export const SelectBox = <Item extends { readonly id: string; readonly title: string }>({
  item,
  index,
  selection,
}: SelectBoxProps<Item>): ReactNode => {
  const { t } = useTranslation('lists')
  const nameOf = useItemName()
  return (
    <Center as="label" className={styles.label} data-is-choosing={selection.isChoosing}>
      <input
        type="checkbox"
        className={styles.box}
        tabIndex={-1}
        aria-label={t('selectItem', { title: nameOf(item) })}
        checked={selection.items.has(item.id)}
        onChange={({ nativeEvent }) => {
          if (nativeEvent instanceof MouseEvent && nativeEvent.shiftKey) selection.extendTo(index)
          else selection.toggle(index, item)
        }}
      />
    </Center>
  )
}
