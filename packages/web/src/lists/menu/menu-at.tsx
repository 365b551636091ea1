import { Menu } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { type MenuAction, MenuActions } from '../../ui/action-menu.tsx'
import { Cover, type CoverProps } from '../../ui/cover/cover.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { closeItemMenu, type SubjectMenuRequest } from './item-menu-request.ts'
import styles from './item-menu.module.css'

/** The menu of a collection, a read list, a library or a person. */
export const SubjectMenu = ({ request }: { readonly request: SubjectMenuRequest }): ReactNode => {
  const { t } = useTranslation('lists')
  const { at, subject } = request
  const actions = subject.actions.map(({ run, ...action }) => ({
    ...action,
    ...(run && {
      run: () => {
        closeItemMenu()
        run()
      },
    }),
  }))
  return (
    <MenuAt
      at={at}
      label={t('quick.more', { title: subject.name })}
      title={<SheetTitle {...subject} />}
      actions={actions}
      onClose={closeItemMenu}
    />
  )
}

interface MenuAtProps {
  readonly at: { readonly x: number; readonly y: number }
  readonly label: string
  /** It stands on top of the sheet. */
  readonly title: ReactNode
  readonly actions: readonly MenuAction[]
  readonly onClose: () => void
}

/** A menu at the pointer, or as a sheet on a phone. */
export const MenuAt = ({ at, label, title, actions, onClose }: MenuAtProps): ReactNode => {
  const [isSheet] = useState(() => matchMedia('(width < 48rem)').matches)
  if (isSheet)
    return (
      <Sheet title={title} isOpen onClose={closeItemMenu}>
        <SheetActions actions={actions} />
      </Sheet>
    )
  return (
    <Menu
      opened
      onClose={onClose}
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

interface SheetTitleProps extends Pick<CoverProps, 'thumbhash'> {
  readonly name: string
  readonly text: string
  readonly cover: string | null
  readonly icon: IconName
}

/** The sheet hides what was pointed at, and shows it instead. */
export const SheetTitle = ({ name, text, cover, thumbhash, icon }: SheetTitleProps): ReactNode => (
  <Columns as="span" gap={3} align="center" className={styles.subject}>
    <Cover src={cover} thumbhash={thumbhash} alt="" icon={icon} />
    <span>
      <Text as="span" lines={2} className={styles.title} dir="auto">
        {name}
      </Text>
      <Text as="span" lines={1} quiet size={13} className={styles.line} dir="auto">
        {text}
      </Text>
    </span>
  </Columns>
)

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
