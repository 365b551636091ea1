import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemName } from '../../text/book-name.tsx'
import type { MenuAction } from '../../ui/action-menu.tsx'
import { bookCover, seriesCover } from '../item/addresses.ts'
import { useItemText } from '../item/item-text.ts'
import { isBook, SelectionWindows } from '../selection/selection-windows.tsx'
import { closeItemMenu, type ItemMenuRequest, type MenuItem } from './item-menu-request.ts'
import { MenuAt, SheetTitle } from './menu-at.tsx'
import { type MenuWindow, useItemActions } from './use-item-actions.ts'
import { WhyHere } from './why-here.tsx'

/** The menu of what somebody has pointed at: at the pointer, or as a sheet on a phone. */
export const ItemMenu = ({ request }: { readonly request: ItemMenuRequest }): ReactNode => {
  const { items, at } = request
  const [window, setWindow] = useState<MenuWindow>()
  // The menu closes after each choice: not so what goes on in a window.
  const isGoingOn = useRef(false)
  const open = (next: MenuWindow): void => {
    isGoingOn.current = true
    setWindow(next)
  }
  const closeMenu = (): void => {
    if (!isGoingOn.current) closeItemMenu()
  }
  const actions = useItemActions(items, open).map((action) => ({ ...action, ...endingWith(action) }))
  const label = useLabel(items)
  const [first] = items
  if (window === 'why' && first && isBook(first)) return <WhyHere book={first} onClose={closeItemMenu} />
  if (window !== undefined && window !== 'why')
    return (
      <SelectionWindows
        kind={items.every(isBook) ? 'books' : 'series'}
        items={items}
        open={window}
        onDone={closeItemMenu}
        onClose={closeItemMenu}
      />
    )
  return (
    <MenuAt
      at={at}
      label={label}
      title={<Subject items={items} label={label} />}
      actions={actions}
      onClose={closeMenu}
    />
  )
}

/** What opens a window goes on in it; all else is done with the menu. */
const windowed: ReadonlySet<string> = new Set(['add', 'move', 'why'])

const endingWith = ({ key, run, to }: MenuAction): Pick<MenuAction, 'run'> => {
  if (run === undefined || windowed.has(key) || (key === 'edit' && to === undefined)) return {}
  return {
    run: () => {
      closeItemMenu()
      run()
    },
  }
}

const useLabel = (items: readonly MenuItem[]): string => {
  const { t } = useTranslation('lists')
  const nameOf = useItemName()
  const [first] = items
  return items.length === 1 && first
    ? t('quick.more', { title: nameOf(first) })
    : t('selected', { count: items.length })
}

/** The sheet hides what was pointed at, and shows it instead. */
const Subject = ({ items, label }: { readonly items: readonly MenuItem[]; readonly label: string }): ReactNode => {
  const text = useItemText()
  const nameOf = useItemName()
  const [item] = items
  if (items.length !== 1 || !item) return label
  return (
    <SheetTitle
      name={nameOf(item)}
      text={isBook(item) ? text.ofBook(item) : text.ofSeries(item)}
      cover={isBook(item) ? bookCover(item, 44) : seriesCover(item, 44)}
      thumbhash={item.placeholder}
      icon={isBook(item) ? 'book' : 'series'}
    />
  )
}
