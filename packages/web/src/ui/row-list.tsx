import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Row, Stack, Text } from './layout/layout.tsx'
import styles from './row-list.module.css'

interface RowListProps {
  readonly label: string
  readonly children: ReactNode
}

/** Things below each other, each with what one can do about it. */
export const RowList = ({ label, children }: RowListProps): ReactNode => (
  <Stack as="ul" gap={2} collapse aria-label={label}>
    {children}
  </Stack>
)

interface ListRowProps {
  readonly icon?: IconName
  readonly title: ReactNode
  /** A word or two beside the title: its state. */
  readonly mark?: ReactNode
  readonly text?: ReactNode
  readonly actions?: ReactNode
  /** They stand below all that, over the whole width. */
  readonly children?: ReactNode
}

export const ListRow = ({ icon, title, mark, text, actions, children }: ListRowProps): ReactNode => (
  <Row as="li" gap={3} rowGap={2} wrap box className={styles.row}>
    {icon === undefined ? null : <Icon name={icon} />}
    <Stack className={styles.words}>
      <span className={styles.title} dir="auto">
        {title}
        {mark}
      </span>
      {text === undefined ? null : (
        <Text as="span" quiet size={14}>
          {text}
        </Text>
      )}
    </Stack>
    {actions === undefined ? null : (
      <Row gap={2} wrap touch className={styles.actions}>
        {actions}
      </Row>
    )}
    {children === undefined || children === null ? null : <div className={styles.below}>{children}</div>}
  </Row>
)
