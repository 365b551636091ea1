import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import { Row, Stack } from '../layout/layout.tsx'
import { Drawing, drawingOf, type DrawingName } from './drawing.tsx'
import styles from './state.module.css'

interface StateProps {
  readonly icon: IconName
  /** Absent: the one of the icon. */
  readonly drawing?: DrawingName
  readonly title: string
  readonly text?: ReactNode
  /** It offers a way out. */
  readonly action?: ReactNode
}

/** It takes the place of an empty list: nothing yet, nothing found. It says what would be here, and offers the way to it. */
export const EmptyState = ({ icon, drawing = drawingOf(icon), title, text, action }: StateProps): ReactNode => (
  <Stack gap={1} align="center" className={styles.state}>
    <Drawing name={drawing} />
    <p className={styles.title}>{title}</p>
    {text === undefined ? null : <p className={styles.text}>{text}</p>}
    {action === undefined ? null : <div className={styles.action}>{action}</div>}
  </Stack>
)

/** It takes the place of what could not be shown. A screen reader says it at once. */
export const ErrorState = (props: Omit<StateProps, 'icon'>): ReactNode => (
  <div role="alert">
    <EmptyState icon="warning" {...props} />
  </div>
)

interface NoticeProps {
  readonly kind: 'info' | 'warning' | 'danger'
  readonly children: ReactNode
}

/** A line or two within a page that must not be missed. */
export const Notice = ({ kind, children }: NoticeProps): ReactNode => (
  <Row gap={3} align="start" className={styles.notice} data-kind={kind} role={kind === 'info' ? 'status' : 'alert'}>
    <Icon name={kind === 'info' ? 'info' : 'warning'} />
    <div>{children}</div>
  </Row>
)
