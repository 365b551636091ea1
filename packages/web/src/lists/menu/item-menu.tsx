import { Menu } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { useItemName } from '../../text/book-name.tsx'
import { type MenuAction, MenuActions } from '../../ui/action-menu.tsx'
import { Cover } from '../../ui/cover/cover.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { bookCover, seriesCover } from '../item/addresses.ts'
import { useItemText } from '../item/item-text.ts'
import { isBook, SelectionWindows } from '../selection/selection-windows.tsx'
import { closeItemMenu, type ItemMenuRequest, type MenuItem } from './item-menu-request.ts'
import styles from './item-menu.module.css'
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
  const [isSheet] = useState(() => matchMedia('(width < 48rem)').matches)
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
  if (isSheet)
    return (
      <Sheet title={<Subject items={items} label={label} />} isOpen onClose={closeItemMenu}>
        <SheetActions actions={actions} />
      </Sheet>
    )
  return (
    <Menu
      opened
      onClose={closeMenu}
      position="bottom-start"
      offset={0}
      hideDetached={false}
      returnFocus={false}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={styles.point}
          style={{ left: at.x, top: at.y }}
          aria-label={label}
        />
      </Menu.Target>
      <Menu.Dropdown className={styles.menu ?? ''} onContextMenu={(event) => event.preventDefault()}>
        <MenuActions actions={actions} link={AppLink} isFocused />
      </Menu.Dropdown>
    </Menu>
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
    <Columns as="span" gap={3} align="center" className={styles.subject}>
      <Cover
        src={isBook(item) ? bookCover(item, 44) : seriesCover(item, 44)}
        thumbhash={item.placeholder}
        alt=""
        icon={isBook(item) ? 'book' : 'series'}
      />
      <span>
        <Text as="span" lines={2} className={styles.title} dir="auto">
          {nameOf(item)}
        </Text>
        <Text as="span" lines={1} quiet size={13} className={styles.line} dir="auto">
          {isBook(item) ? text.ofBook(item) : text.ofSeries(item)}
        </Text>
      </span>
    </Columns>
  )
}

const SheetActions = ({ actions }: { readonly actions: readonly MenuAction[] }): ReactNode => (
  <Stack as="ul" className={styles.list}>
    {actions.map(({ key, icon, label, to, href, run, group }, index) => {
      const shared = { gap: 3, className: styles.action, 'data-autofocus': index === 0 ? true : undefined } as const
      const content = (
        <>
          <Icon name={icon} />
          {label}
        </>
      )
      return (
        <li key={key} data-begins={index > 0 && group !== actions[index - 1]?.group}>
          {to !== undefined ? (
            <Row as={AppLink} to={to} {...shared} onClick={closeItemMenu}>
              {content}
            </Row>
          ) : href !== undefined ? (
            <Row as="a" href={href} download {...shared} onClick={closeItemMenu}>
              {content}
            </Row>
          ) : (
            <Row as="button" type="button" {...shared} onClick={run}>
              {content}
            </Row>
          )}
        </li>
      )
    })}
  </Stack>
)
